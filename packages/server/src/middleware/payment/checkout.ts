/** What a person is asked to pay, for the code that makes the page. */
export interface CheckoutRequest {
  /** In the smallest unit of the currency: cents. */
  readonly amount: number
  /** As ISO 4217 has it, in small letters: `eur`. */
  readonly currency: string
  readonly description: string
  /** The same for every attempt to begin this checkout: hand it on as an idempotency key. */
  readonly elicitationId: string
  readonly sessionId: string
  /** Where the person goes afterwards. */
  readonly returnUrl: string
  /** Where the person goes when they would rather not. */
  readonly cancelUrl: string
}

/** A page to pay at. */
export interface Checkout {
  readonly url: string
  /** What the provider calls this payment, from here on. */
  readonly reference: string
}

/** What a provider says about a payment. */
export interface PaymentStatus {
  readonly status: 'paid' | 'open' | 'failed'
  readonly reference: string
  readonly amount: number
  readonly currency: string
  /** What the provider calls the money that came in, where that has a name of its own. */
  readonly paymentId?: string | undefined
}

/** A way to take money: `stripe()` makes one. It settles payments by `verify`, by `webhook`, or by both. */
export interface PaymentProvider {
  checkout(request: CheckoutRequest): Promise<Checkout> | Checkout
  /** Asks the provider how a payment stands. */
  verify?(reference: string): Promise<PaymentStatus> | PaymentStatus
  /** Reads a notice of the provider, and throws for one that it did not sign. Undefined: nothing about a payment. */
  webhook?(request: Request): Promise<PaymentStatus | undefined> | PaymentStatus | undefined
}

/** What was paid. */
export interface Receipt {
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly paymentId?: string
}
