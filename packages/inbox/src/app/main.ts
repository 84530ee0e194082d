// The language comes first: the elements take it when they are defined.
import './language.js'
import '../index.js'
import { registerWorker } from '../notify/worker.js'

// Once the page is there: it needs none of this to be shown.
addEventListener('load', () => void registerWorker())
