import type { JSX } from 'react'
import { expectTypeOf, it } from 'vitest'
import type { GlobalComponents } from 'vue'
import type { AskDetail } from './index.js'
import type {} from './react.js'
import type {} from './vue.js'

it('types the elements in JSX, with their events', () => {
  type Props = JSX.IntrinsicElements['beckon-request']
  expectTypeOf<{ session: string; request: string; 'undo-ms': number; className: string }>().toExtend<Props>()
  expectTypeOf<{ theme: 'blue' }>().not.toExtend<Props>()
  type Answered = NonNullable<Props['onbeckon-answered']>
  expectTypeOf<Parameters<Answered>[0]['detail']>().toExtend<AskDetail>()
})

it('types the elements in templates of Vue', () => {
  type Props = InstanceType<GlobalComponents['beckon-inbox']>['$props']
  expectTypeOf<{ desk: string; page: boolean }>().toExtend<Props>()
  expectTypeOf<{ getTicket: () => string }>().not.toExtend<Props>()
})

it('types the events of the elements in a page', () => {
  expectTypeOf<HTMLElementEventMap['beckon-answered']['detail']['response']>().toEqualTypeOf<
    'accept' | 'decline' | 'cancel'
  >()
})
