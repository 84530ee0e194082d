export type { Checkout, CheckoutRequest, PaymentProvider, PaymentStatus, Receipt } from './checkout.js'
export { type PaymentOptions, type PaymentVars, type Price, payment } from './payment.js'
export { type StripeOptions, stripe } from './stripe.js'
