// Types of the elements in JSX, for React 19, which sets properties and listens to events of custom elements by itself. Nothing of
// this is there at run time: `import type {} from '@beckon/inbox/react'`.
import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { BeckonEvents, InboxAttributes, RequestAttributes } from './attributes.js'
import type { InboxElement } from './elements/inbox/inbox.js'
import type { RequestElement } from './elements/request/request.js'

/** A listener for each event: `onbeckon-answered`. */
type Listeners = { readonly [Type in keyof BeckonEvents as `on${Type}`]?: (event: BeckonEvents[Type]) => void }
type Props<Element, Attributes> = DetailedHTMLProps<HTMLAttributes<Element>, Element> & Attributes & Listeners

/** Props of `<beckon-inbox>`. */
export type BeckonInboxProps = Props<InboxElement, InboxAttributes>
/** Props of `<beckon-request>`. */
export type BeckonRequestProps = Props<RequestElement, RequestAttributes>

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'beckon-inbox': BeckonInboxProps
      'beckon-request': BeckonRequestProps
    }
  }
}
