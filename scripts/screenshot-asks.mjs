// What the screenshots show: a working day of asks that were answered, and one open ask of every kind.

/** @typedef {import('@beckon/desk').Desk} Desk */
/** @typedef {'answer' | 'decline' | 'cancel'} Ending */
/**
 * @typedef {object} Day
 * @property {(agoMs: number) => void} setBack the desk's clock
 * @property {(id: string) => Promise<void>} put resolves when the desk has an ask
 * @property {(as: string, id: string, how: Ending, reason?: string) => Promise<void>} end
 */

const minute = 60_000
const hour = 60 * minute

/** How long ago in minutes, how many of them it took, who asked, its tool, what; who did what, and why. */
const past = /** @type {const} */ ([
  [431, 2.4, 'files', 'rename', 'Rename 230 photos by date?', 'ana', 'answer'],
  [418, 0.4, 'files', 'clear_done', 'Remove 5 done todos? This cannot be undone.', 'ana', 'answer'],
  [402, 11, 'deploys', 'deploy', 'Deploy build 1836 to staging?', 'ben', 'answer'],
  [377, 0.7, 'shop', 'order', 'Order 12 boxes of paper for 61.80 €?', 'ana', 'answer'],
  [349, 1.2, 'mail', 'send_report', 'Send the weekly report to 12 people?', 'ana', 'answer'],
  [322, 48, 'deploys', 'migrate', 'Run migration 0042 on the staging database?', 'ben', 'answer'],
  [301, 3.1, 'files', 'share', 'Share “Budget 2026” with accounting?', 'ana', 'answer'],
  [268, 0.3, 'mail', 'unsubscribe', 'Unsubscribe from 14 newsletters?', 'ana', 'answer'],
  [
    244,
    6.5,
    'shop',
    'refund',
    'Refund order 7702 (42.00 €)?',
    'ana',
    'decline',
    'It was delivered yesterday, see the photo.',
  ],
  [217, 1.6, 'deploys', 'deploy', 'Deploy build 1839 to production?', 'ben', 'answer'],
  [186, 22, 'files', 'archive', 'Archive 3 projects that nobody opened this year?', 'ana', 'cancel'],
  [165, 0.9, 'mail', 'reply', 'Reply to Mr Okafor with the draft above?', 'ana', 'answer'],
  [139, 4.2, 'shop', 'reorder', 'Order the same toner as last month?', 'ana', 'answer'],
  [117, 0.5, 'deploys', 'restart', 'Restart the worker? Two jobs are running.', 'ana', 'answer'],
  [
    96,
    14,
    'deploys',
    'rollback',
    'Start the rollback of release 41?',
    'ana',
    'decline',
    'The fix is already on its way.',
  ],
  [71, 0.8, 'files', 'move', 'Move 41 invoices to “Taxes 2025”?', 'ana', 'answer'],
  [52, 2.2, 'mail', 'invite', 'Invite the whole team for Thursday at 10?', 'ben', 'answer'],
  [33, 0.6, 'shop', 'cancel_order', 'Cancel order 7718 before it ships?', 'ana', 'answer'],
])

const folders = 'Bills Car Contracts Family Health House Insurance Travel Work'.split(' ')

/**
 * Puts and answers what is over, each at its time.
 * @param {Desk} desk
 * @param {Day} day
 */
export async function askInThePast(desk, day) {
  for (const [index, [ago, took, server, tool, message, who, how, reason]] of past.entries()) {
    const turn = await turnOf(desk, server)
    day.setBack((ago + took) * minute)
    const id = `past-${index}`
    const outcome = turn.ask({ id, message, ...about(tool, {}) })
    const path = `${sessionOf(server)}/${id}`
    await day.put(path)
    day.setBack(ago * minute)
    await day.end(who, path, how, reason)
    await outcome
  }
  day.setBack(0)
}

/**
 * Puts an open ask of every kind; gives the words to find each by.
 * @param {Desk} desk
 * @param {Day} day
 */
export async function askEverything(desk, day) {
  const put = async (
    /** @type {number} */ ago,
    /** @type {string} */ server,
    /** @type {import('@beckon/desk').LiveRequest} */ request,
    timeoutMs = 24 * hour,
  ) => {
    const turn = await turnOf(desk, server)
    day.setBack(ago)
    const id = `${server}-${ago}`
    turn.ask({ ...request, id }, { timeoutMs: timeoutMs + ago }).catch(() => {})
    await day.put(`${sessionOf(server)}/${id}`)
  }
  await put(26 * minute, 'files', {
    message: 'Where should the scans go?',
    questions: [
      {
        id: 'folder',
        kind: 'single-select',
        title: 'Folder',
        message: 'The folder that new scans are filed under.',
        required: true,
        options: [...folders, 'Taxes 2025'].map(label => ({ id: label.toLowerCase(), label })),
        allowFreeformInput: true,
      },
      {
        id: 'tags',
        kind: 'multi-select',
        title: 'Labels',
        message: 'Labels',
        min: 1,
        max: 3,
        options: [
          { id: 'paper', label: 'Paper' },
          { id: 'signed', label: 'Signed', description: 'Has a signature on it' },
          { id: 'important', label: 'Important', recommended: true },
        ],
        allowFreeformInput: true,
      },
    ],
    ...about('file_scans', { from: '/scans/inbox', count: 14 }),
  })
  await put(
    12 * minute,
    'shop',
    {
      message: 'We need a few details to place the order.',
      questions: [
        {
          id: 'name',
          kind: 'text',
          title: 'Name',
          message: 'As it should stand on the parcel.',
          required: true,
          max: 60,
          defaultValue: 'Ana Lind',
        },
        { id: 'mail', kind: 'text', title: 'E-mail', message: 'For the receipt.', format: 'email', required: true },
        { id: 'when', kind: 'text', title: 'Delivery', message: 'Delivery', format: 'date-time' },
        {
          id: 'count',
          kind: 'integer',
          title: 'Boxes',
          message: 'Boxes',
          min: 1,
          max: 20,
          defaultValue: 2,
          required: true,
        },
        { id: 'gift', kind: 'boolean', title: 'Wrap it as a gift?', message: 'Wrap it as a gift?' },
        {
          id: 'size',
          kind: 'single-select',
          title: 'Size',
          message: 'Size',
          required: true,
          options: [
            { id: 's', label: 'Small' },
            { id: 'm', label: 'Medium', recommended: true },
            { id: 'l', label: 'Large' },
          ],
          allowFreeformInput: true,
        },
        { id: 'note', kind: 'text', title: 'Note', message: 'Anything that the driver should know.', max: 1000 },
      ],
      ...about('place_order', { sku: 'paper-a4', warehouse: 'north' }),
    },
    2.5 * hour,
  )
  await put(
    1.5 * minute,
    'shop',
    {
      message: 'Sign in to your bank to approve the payment of 84.20 €.',
      url: 'https://pаypal.com@pay.example.com:8443/checkout?order=7731',
      ...about('pay', { amount: 84.2, currency: 'EUR' }),
    },
    4.5 * minute,
  )
  await put(
    4 * minute,
    'deploys',
    {
      message: 'Deploy build 1842 to production? 3 services restart, and 2 migrations run.',
      ...about('deploy', { build: 1842, env: 'production', services: ['api', 'web', 'worker'] }),
    },
    50.5 * minute,
  )
  await put(
    7 * minute,
    'files',
    {
      message: 'Delete 1,204 files that nobody opened since 2019? This cannot be undone.',
      ...about('delete_old', { before: '2019-12-31', folder: '/archive' }, { 'beckon/destructive': true }),
    },
    6 * hour,
  )
  day.setBack(0)
  return {
    confirm: 'Deploy build',
    destructive: 'Delete 1,204 files',
    form: 'few details',
    choices: 'Where should',
    url: 'Sign in to your bank',
  }
}

/**
 * @param {Desk} desk
 * @param {string} server
 */
async function turnOf(desk, server) {
  const session = await desk.session(sessionOf(server), { title: server, server })
  return session.activeTurn() ?? session.startTurn()
}

/** @param {string} server */
function sessionOf(server) {
  return `${server}-1`
}

/**
 * @param {string} tool
 * @param {object} input
 * @param {object} [more]
 */
function about(tool, input, more = {}) {
  return { _meta: { 'beckon/tool': tool, 'beckon/arguments': input, ...more } }
}
