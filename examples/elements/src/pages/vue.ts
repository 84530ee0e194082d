import '@beckon/inbox'
import type { BeckonInboxProps, BeckonRequestProps } from '@beckon/inbox/vue'
import { createApp, defineComponent, h, ref } from 'vue'
import { desk, getTicket, request, session } from './here.js'

const BackOffice = defineComponent(() => {
  const said = ref<string[]>([])
  const forRequest: BeckonRequestProps = {
    desk,
    getTicket,
    session,
    request,
    'undo-ms': 0,
    onBeckonAnswered: ({ detail }) => said.value.push(`request: ${detail.response}`),
  }
  const forInbox: BeckonInboxProps = {
    desk,
    getTicket,
    theme: 'light',
    'undo-ms': 0,
    onBeckonAnswered: ({ detail }) => said.value.push(`inbox: ${detail.response}`),
  }
  return () =>
    h('main', [
      h('output', said.value.join(', ')),
      h('beckon-request', { ...forRequest }),
      h('beckon-inbox', { ...forInbox }),
    ])
})

createApp(BackOffice).mount('#app')
