import type { PaymentProvider } from 'beckon/payment'

/** A stand-in for a payment provider: who goes to its page has paid. */
export function createBank(): PaymentProvider & { visit(url: string): void } {
  const payments = new Map<string, { amount: number; currency: string; isPaid: boolean }>()
  return {
    checkout({ amount, currency, elicitationId }) {
      payments.set(elicitationId, { amount, currency, isPaid: false })
      return { url: `https://bank.example/pay/${elicitationId}`, reference: elicitationId }
    },
    verify(reference) {
      const payment = payments.get(reference)
      if (payment === undefined) throw new Error('There is no such payment.')
      const { amount, currency, isPaid } = payment
      return { status: isPaid ? 'paid' : 'open', reference, amount, currency }
    },
    visit(url) {
      const payment = payments.get(url.split('/').at(-1) ?? '')
      if (payment !== undefined) payment.isPaid = true
    },
  }
}
