// The words for what must not be asked in a form. All are matched on the output of `toWords`, so a space stands for any
// separator, and `api ?key` for apiKey, API_KEY and apikey alike. The lists are short on purpose: this goes to browsers.

/** What a field seems to ask for. */
export type SensitiveKind = 'password' | 'pin' | 'key' | 'token' | 'secret' | 'one-time-code' | 'payment'

/**
 * The words for each kind. The last ones are everyday words too: they count only at the end of a name, and in a text only
 * where they are asked for.
 */
export const CREDENTIALS: readonly (readonly [SensitiveKind, words: RegExp, isEveryday?: true])[] = [
  [
    'payment',
    /(?<!\b(?:loyalty|library|membership|id|insurance) )(?:\b(?:(?:credit|debit|gift|bank) ?)?card|\bcc) ?(?:num\w*|nr|no(?=$| \d)|pan|details|exp\w*|cv[vc]|security code)|gift ?card ?code|(?:credit|debit|payment) ?card|\bcv[vc]|\biban|\bbank ?account(?: ?n\w+)?|\brouting ?number/g,
  ],
  [
    'one-time-code',
    /\bt?otp|\bone ?time ?(?:code|pass\w+|pin)|(?:\b2 ?fa|\bmfa|(?:two|multi) ?factor|verification|auth(?:entication|orization)?|security|login|\bsms|\baccess|recovery|backup) ?codes?|(?:security|secret) ?answer/g,
  ],
  [
    'password',
    /(?<!^1 )pass ?words?|\bpasswd|\bpwd|\bpass ?(?:phrase|code|key)s?|\b(?:db|user|admin|root|smtp|ftp) ?pass(?![a-z])|credentials?|contrasena|mot de passe|passwort|kennwort|\bsenha|wachtwoord|парол[ья]|密[码碼](?![长長策])|パスワード|비밀번호/g,
  ],
  [
    'key',
    /(?:ap ?i|\bapp|secret|private|access|cryption|signing|\bssh|\bgpg|\bpgp|\brsa|master|licen[cs]e|deploy|storage ?account|\bauth|recovery|open ?ai|anthropic|\baws|azure|stripe|git ?hub) ?keys?|(?:seed|recovery|mnemonic) ?(?:phrase|words)|\bmnemonic/g,
  ],
  [
    'token',
    /(?:access|refresh|\bapi|auth(?:entication|orization)?|session|personal) ?tokens?|authorization ?header|session ?cookie|\bjwt/g,
  ],
  ['secret', /(?:client|app|shared|webhook|signing) ?secrets?|connection ?string/g],
  ['pin', /(?<!\b(?:gpio|led|map|data|reset|input|output) )\bpin(?: ?code| number)?/g, true],
  [
    'token',
    /(?<!\b(?:page|continuation|cursor|next|first|last|stop|eos|max|per|design|input|output|from|to|buy|sell|20|nft) ?)token|\bbearer/g,
    true,
  ],
  ['secret', /(?<!\btrade )\bsecrets?/g, true],
]

/** What begins right after, and makes it something about a credential and not the credential: `passwordPolicy`. */
export const ABOUT: RegExp =
  /^ (?:s )?(?:age|algo|auth|brand|count|device|disabl|email|enabl|exp|file|format|hint|holder|ids?\b|issuer|label|len|less|lifetime|limit|link|login|manager|method|mode|name|owner|page|path|polic|prefix|protect|requirem|reset|rotat|rule|scope|setting|strength|ttl|type|url|usage|vault|version)/

/** A word before, in the same name or request, which makes it something else: `usesPassword`, `number of API keys`. */
export const ASIDE: RegExp =
  /\b(?:is|has|uses?|requires?|shows?|forgot|rotate|revoke|of|for|to|with|which|whether|if|how|that|no|public|wrong)\b/

/** A word that asks for what follows it. */
export const ASKS: RegExp = /^.*\b(?:your|my|enter|provide|paste|type|supply|input|give|confirm|repeat)\b/

/** What may follow an everyday word that is meant as the credential itself, in a name. */
export const ENDS: RegExp = /^(?:$| (?:\d+$|value|again|confirm|for\b))/

/** What may follow it in a text that asks for it. */
export const GOES_ON: RegExp = /^ (?:here|below|to|from|of|so|and|or|that|which|you|we|is|with)\b/

/** Words that say what not to enter. */
export const NEGATES: RegExp = /\b(?:not|never|dont|don t|cannot|avoid|instead|rather)\b/

/** In India a PIN code is a postal code. */
export const POSTAL: RegExp = /\b(?:postal|zip|india|address|delivery|shipping|city|area)\b/
