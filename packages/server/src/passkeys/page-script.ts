/**
 * What our pages run: it has the browser make or use a passkey, and sends what came of it with the form. Plain text, since the
 * page's policy lets through this very text and nothing else.
 */
export const pageScript: string = `
const say = text => { document.getElementById('trouble').textContent = text }
for (const form of document.querySelectorAll('form[data-passkey]')) form.addEventListener('submit', async event => {
  if (!event.submitter?.dataset.ceremony) return
  event.preventDefault()
  try {
    const { get, create } = JSON.parse(form.dataset.passkey)
    const done = {}
    if (get) done.get = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(get) })
    if (create) done.create = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(create) })
    form.elements.passkey.value = JSON.stringify(done)
    form.elements.do.value = event.submitter.value
    form.submit()
  } catch (error) {
    say(self.PublicKeyCredential?.parseRequestOptionsFromJSON
      ? 'That was not confirmed. Nothing was sent. You can try again.'
      : 'This browser cannot use passkeys. Open this page in a current one.')
  }
})
`
