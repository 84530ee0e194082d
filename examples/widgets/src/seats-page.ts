import type { ConnectWidget } from 'beckon/widget'

interface Seat {
  readonly row: string
  readonly seat: number
}

/** The page of the widget. It is written into a document as it stands, so it uses nothing around it. */
export function seatsPage(connectWidget: ConnectWidget): void {
  connectWidget<{ seats: Seat[] }, { free: Seat[] }>(ask => {
    let chosen: readonly Seat[] = ask.initial?.seats ?? []
    const question = document.createElement('h1')
    question.textContent = ask.question
    const problem = document.createElement('p')
    problem.role = 'alert'
    problem.textContent = ask.problem ?? ''
    const plan = document.createElement('div')
    const book = document.createElement('button')
    book.textContent = 'Book'
    book.onclick = () => void ask.answer({ seats: [...chosen] })

    function draw(): void {
      const seats = (ask.data?.free ?? []).map(free => {
        const isFree = ({ row, seat }: Seat) => row !== free.row || seat !== free.seat
        const button = document.createElement('button')
        button.textContent = `${free.row}${free.seat}`
        button.ariaPressed = String(!chosen.every(isFree))
        button.onclick = () => {
          chosen = chosen.every(isFree) ? [...chosen, free] : chosen.filter(isFree)
          ask.draft({ seats: [...chosen] })
          draw()
        }
        return button
      })
      plan.replaceChildren(...seats)
    }
    ask.onDraft(({ seats = [] }) => {
      chosen = seats
      draw()
    })
    draw()
    document.body.replaceChildren(question, problem, plan, book)
  })
}
