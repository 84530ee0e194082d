// What a screen reader has to go by: the tree that Chromium makes for assistive technology, in the order in which it is read.
import type { CDPSession, Frame, Page } from 'playwright-core'

interface AxValue {
  readonly value?: unknown
}

interface AxNode {
  readonly nodeId: string
  readonly ignored: boolean
  readonly role?: AxValue
  readonly name?: AxValue
  readonly description?: AxValue
  readonly properties?: readonly { readonly name: string; readonly value: AxValue }[]
  readonly childIds?: readonly string[]
}

/** What only holds other things together, and is not read out itself. */
const silent = [
  ...['none', 'generic', 'InlineTextBox', 'LineBreak', 'RootWebArea', 'ListMarker', 'LabelText', 'Legend', 'form'],
  ...['paragraph', 'strong', 'code', 'rowgroup', 'row', 'sectionheader', 'time'],
]
/** What is said of a control beside its name. */
const states = ['checked', 'disabled', 'required', 'expanded', 'invalid', 'live', 'level', 'pressed']
/** What has its name of what is inside it. */
const fromContent = ['button', 'link', 'heading', 'cell', 'columnheader', 'option', 'tab']
/** What nobody can use, or tell from others, without a name. */
const named = [
  ...['button', 'link', 'textbox', 'searchbox', 'checkbox', 'radio', 'combobox', 'listbox', 'option', 'switch', 'tab'],
  ...['image', 'region', 'group', 'columnheader', 'progressbar', 'heading', 'Iframe'],
]

/**
 * Everything in a frame, from its first word to its last: text as it is, and what has a role with that, its name, its description and
 * its states. What has no name and needs one is said to be unnamed.
 */
export async function spoken(page: Page, frame: Frame = page.mainFrame()): Promise<string[]> {
  const nodes = await treeOf(page, frame)
  const known = new Map(nodes.map(node => [node.nodeId, node]))
  const said: string[] = []
  const visit = (node: AxNode | undefined, around: string): void => {
    if (node === undefined) return
    const role = textOf(node.role)
    const name = textOf(node.name)
    const isSaid = !node.ignored && !silent.includes(role)
    // A name that is made of what is inside is said once.
    if (isSaid && !(role === 'StaticText' && around.includes(name))) said.push(lineOf(node, role, name))
    const inside = isSaid ? (fromContent.includes(role) ? name : '') : around
    for (const id of node.childIds ?? []) visit(known.get(id), inside)
  }
  visit(nodes[0], '')
  return said.filter(line => line !== '')
}

function lineOf({ description, properties = [] }: AxNode, role: string, name: string): string {
  if (role === 'StaticText') return name
  const told = properties.flatMap(({ name: state, value: { value } }) => {
    if (!states.includes(state) || value === false || value === 'false' || value === 'off') return []
    return value === true || value === 'true' ? [state] : [`${state} ${value}`]
  })
  const called = name === '' && named.includes(role) ? 'UNNAMED' : name
  return [role, called, textOf(description) && `(${textOf(description)})`, ...told].filter(Boolean).join(' ')
}

function textOf(value: AxValue | undefined): string {
  return String(value?.value ?? '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A frame of another origin may have a process of its own, and a tree of its own there. */
async function treeOf(page: Page, frame: Frame): Promise<AxNode[]> {
  const context = page.context()
  const session: CDPSession = await context.newCDPSession(frame).catch(() => context.newCDPSession(page))
  try {
    await session.send('Accessibility.enable')
    const { frameTree } = (await session.send('Page.getFrameTree')) as { frameTree: FrameTree }
    const frameId = idOf(frameTree, frame.url())
    const { nodes } = await session.send('Accessibility.getFullAXTree', frameId === undefined ? {} : { frameId })
    return nodes as AxNode[]
  } finally {
    await session.detach()
  }
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string }
  readonly childFrames?: readonly FrameTree[]
}

function idOf({ frame, childFrames = [] }: FrameTree, url: string): string | undefined {
  if (frame.url === url) return frame.id
  return childFrames.map(child => idOf(child, url)).find(id => id !== undefined)
}
