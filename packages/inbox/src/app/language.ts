// In which language the page is: `?lang=de`, else as the browser has it. `?dir=rtl` turns the page around.
import { hasLanguage } from '../strings/strings.js'

const wanted = new URLSearchParams(location.search)
const lang = wanted.get('lang')
document.documentElement.lang = [...(lang === null ? [] : [lang]), ...navigator.languages].find(hasLanguage) ?? 'en'
if (wanted.get('dir') === 'rtl') document.documentElement.dir = 'rtl'
