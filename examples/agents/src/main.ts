// Agents of three frameworks, and one desk for all of them.
import { createDesk } from '@beckon/desk'
import { aiSdk } from './ai-sdk.js'
import { langGraph } from './langgraph.js'
import { openAiAgents } from './openai-agents.js'
import { sitDown } from './person.js'
import { tellStory } from './story.js'

const desk = createDesk()
const person = await sitDown((await desk.listen()).link)
try {
  for (const [name, agent] of Object.entries({ aiSdk, openAiAgents, langGraph })) {
    await tellStory(name, agent, { desk, person })
    console.log(`agents: ok (${name})`)
  }
} finally {
  await desk.close()
}
