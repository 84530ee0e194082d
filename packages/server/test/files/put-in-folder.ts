// Puts 3 MB into the folder that is given, and says what became of it.
import { folder } from '../../src/files/folder.js'

const [, , path = ''] = process.argv

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(3_000_000)
}

const outcome = await folder(path)
  .put('one', bytes())
  .then(
    () => 'kept',
    ({ code }) => code,
  )
console.log(outcome)
