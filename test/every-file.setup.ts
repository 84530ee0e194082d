import { afterAll, afterEach } from 'vitest'
import { endFile, endTest } from './every-file.js'

afterEach(endTest)
afterAll(endFile)
