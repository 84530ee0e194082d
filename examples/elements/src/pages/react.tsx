import '@beckon/inbox'
import type {} from '@beckon/inbox/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { desk, getTicket, request, session } from './here.js'

function BackOffice() {
  const [said, say] = useState<readonly string[]>([])
  return (
    <main>
      <output>{said.join(', ')}</output>
      <beckon-request
        desk={desk}
        getTicket={getTicket}
        session={session}
        request={request}
        undo-ms={0}
        onbeckon-answered={({ detail }) => say(all => [...all, `request: ${detail.response}`])}
      />
      <beckon-inbox
        desk={desk}
        getTicket={getTicket}
        theme="light"
        undo-ms={0}
        onbeckon-answered={({ detail }) => say(all => [...all, `inbox: ${detail.response}`])}
      />
    </main>
  )
}

const root = document.getElementById('app')
if (root !== null) createRoot(root).render(<BackOffice />)
