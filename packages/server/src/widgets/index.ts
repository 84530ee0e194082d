export type { CarriedAsk, CarryOptions, Widget } from '../author/widget.js'
export { defineWidget, type WidgetForm, type WidgetOptions } from './define-widget.js'
