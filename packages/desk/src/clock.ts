export { type Clock, systemClock } from 'beckon'
