// Types of the elements in Vue's templates and JSX. Nothing of this is there at run time: `import type {} from '@beckon/inbox/vue'`.
import type { HTMLAttributes } from 'vue'
import type { BeckonEvents, InboxAttributes, RequestAttributes } from './attributes.js'

/** A listener for each event: `@beckon-answered`, or `onBeckonAnswered`. */
interface Listeners {
  readonly onBeckonAsked?: (event: BeckonEvents['beckon-asked']) => void
  readonly onBeckonSelected?: (event: BeckonEvents['beckon-selected']) => void
  readonly onBeckonAnswered?: (event: BeckonEvents['beckon-answered']) => void
  readonly onBeckonSignedOut?: (event: BeckonEvents['beckon-signed-out']) => void
}

/** Props of `<beckon-inbox>`. */
export type BeckonInboxProps = HTMLAttributes & InboxAttributes & Listeners
/** Props of `<beckon-request>`. */
export type BeckonRequestProps = HTMLAttributes & RequestAttributes & Listeners

/** How Vue writes down which props an element takes. */
type ElementWith<Props> = new () => { readonly $props: Props }

declare module 'vue' {
  interface GlobalComponents {
    'beckon-inbox': ElementWith<BeckonInboxProps>
    'beckon-request': ElementWith<BeckonRequestProps>
  }
}
