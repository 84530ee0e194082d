/**
 * What the page of a long choice runs: it finds while someone types. Without it they press a button. Plain text, since the page's
 * policy lets through this very text and nothing else.
 */
export const searchScript: string = `
const form = document.querySelector('form[data-search]')
const found = document.getElementById('found')
let typed
let turn = 0
async function look() {
  const mine = ++turn
  const body = new URLSearchParams(new FormData(form))
  body.set('do', 'search')
  try {
    const response = await fetch('', { method: 'POST', body })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.getElementById('found')
    if (mine !== turn) return
    if (next === null) return location.reload()
    const chosen = form.elements.choice?.value
    found.replaceChildren(...next.childNodes)
    for (const option of form.querySelectorAll('input[name=choice]')) option.checked = option.value === chosen
  } catch {}
}
form.elements.search.addEventListener('input', () => {
  clearTimeout(typed)
  typed = setTimeout(look, 150)
})
`
