import { createDesk } from '@beckon/desk'
import { sitDown } from '../src/person.js'
import { tellStory } from '../src/story.js'
import { claudeAgent, toolName } from './claude-agent.js'

const desk = createDesk()
const person = await sitDown((await desk.listen()).link)
await tellStory('claudeAgent', claudeAgent, { desk, person, tool: toolName })
console.log('agents: ok (claudeAgent)')
await desk.close()
