import type { CheckedBrand } from './brand.js'

/** The one style sheet, which a page has in itself: the policy lets this very text through and nothing else. */
export function styleOf({ accent, onAccent }: Pick<CheckedBrand, 'accent' | 'onAccent'>): string {
  return `
:root { color-scheme: light dark; --accent: ${accent}; --on-accent: ${onAccent}; --paper: #ffffff; --ground: #f3f4f6;
  --ink: #16191d; --quiet: #50565e; --line: #d5d9de; --field: #868d96; --bad: #a3122b; --bad-paper: #fdecee;
  --good: #11683a; --good-paper: #e6f5ec; }
@media (prefers-color-scheme: dark) { :root { --paper: #1d2024; --ground: #121417; --ink: #eceef1; --quiet: #b0b6be;
  --line: #3a3f46; --field: #7b828b; --bad: #ff9aa8; --bad-paper: #3a1a20; --good: #86dba6; --good-paper: #15301f; } }
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: 1.5rem 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; display: grid; align-content: center; }
main { width: 100%; max-width: 27rem; margin: 0 auto; padding: 1.75rem; background: var(--paper);
  border: 1px solid var(--line); border-radius: .875rem; overflow-wrap: anywhere; }
@media (max-width: 30rem) { body { padding: 0; align-content: start; background: var(--paper); }
  main { border: 0; border-radius: 0; padding: 1.5rem 1.25rem; } }
.brand { display: flex; align-items: center; gap: .625rem; margin: 0 0 1.25rem; color: var(--quiet); font-size: .9375rem; font-weight: 600; }
.brand img { width: 1.75rem; height: 1.75rem; object-fit: contain; border-radius: .375rem; }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.3; }
pre { margin: 0 0 1.25rem; padding: .75rem .875rem; background: var(--ground); border-radius: .5rem; font-size: .8125rem; white-space: pre-wrap; }
.warning:empty { display: none; }
p { margin: 0 0 1rem; } p:last-child { margin-bottom: 0; }
.message { margin-bottom: 1.375rem; padding-left: .875rem; border-left: 3px solid var(--line); white-space: pre-line; }
.host { display: block; margin: 0 0 1.25rem; padding: .75rem .875rem; background: var(--ground); border: 1px solid var(--line);
  border-radius: .5rem; font-size: 1.0625rem; font-weight: 650; }
.quiet { color: var(--quiet); font-size: .875rem; font-weight: 400; }
.mark { display: inline-grid; place-items: center; width: 2.5rem; height: 2.5rem; margin: 0 0 .875rem; border-radius: 50%;
  font-size: 1.25rem; font-weight: 700; }
.good { background: var(--good-paper); color: var(--good); } .bad { background: var(--bad-paper); color: var(--bad); }
.slow { background: var(--ground); color: var(--quiet); }
.warning { margin-bottom: 1.375rem; padding: .75rem .875rem; border-radius: .5rem; background: var(--bad-paper); color: var(--bad); font-weight: 550; }
form { margin: 0 0 1.25rem; }
.block { margin: 0 0 1.25rem; } .block h2 { margin: 0 0 .5rem; font-size: 1rem; } .block img { max-width: 100%; border-radius: .5rem; }
.block ul, .block ol { margin: 0 0 1rem; padding-inline-start: 1.5rem; } .block blockquote { margin: 0 0 1rem; padding-inline-start: .875rem; border-inline-start: 3px solid var(--line); }
.lines { white-space: pre-line; } .wide { overflow-x: auto; } .diff { white-space: pre; overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; } th, td { padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
del { background: var(--bad-paper); color: var(--bad); text-decoration: none; } ins { background: var(--good-paper); color: var(--good); text-decoration: none; }
.host a { color: inherit; font-weight: 400; }
.field { margin: 0 0 1rem; border: 0; padding: 0; min-width: 0; }
label, legend { display: block; margin: 0 0 .3125rem; padding: 0; font-weight: 600; font-size: .9375rem; }
.choice { display: flex; align-items: center; gap: .625rem; margin: .375rem 0; font-weight: 400; min-height: 1.5rem; }
.hint, .problem { display: block; margin: .3125rem 0 0; font-size: .875rem; color: var(--quiet); }
.problem { color: var(--bad); font-weight: 550; }
input:not([type=checkbox], [type=radio]), select { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit;
  background: var(--paper); border: 1px solid var(--field); border-radius: .5rem; }
input:is([type=checkbox], [type=radio]) { width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); flex: none; }
[aria-invalid=true] { border-color: var(--bad) !important; }
button, .button { display: block; width: 100%; min-height: 2.875rem; padding: .625rem 1rem; font: inherit; font-weight: 650; text-align: center;
  text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid var(--field); border-radius: .5rem; cursor: pointer; }
button.risky { color: var(--bad); background: var(--paper); border-color: var(--bad); }
button.second { color: var(--ink); background: var(--paper); }
button.small { display: inline-block; width: auto; min-height: 2rem; padding: .125rem .625rem; font-size: .875rem; }
.files { list-style: none; margin: .5rem 0 0; padding: 0; } .files li { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .625rem; padding: .25rem 0; font-size: .9375rem; }
.files bdi { font-weight: 600; } .files progress { flex: 1 1 6rem; accent-color: var(--accent); }
button:disabled { opacity: .55; cursor: default; }
button:hover, .button:hover { filter: brightness(1.08); }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
`
}
