// What is tried against a desk, and what each attack got, for docs/security.md.
import { runAttacks } from '../../../../test/attack-table.js'
import { door } from './listening.js'
import { people } from './people.js'
import { programs } from './programs.js'
import { reach } from './reach.js'
import { rules } from './rules.js'
import { store } from './store.js'
import { team } from './team.js'

runAttacks('packages/desk/test/attacks', [door, programs, people, team, rules, store, reach])
