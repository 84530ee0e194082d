export {
  type Block,
  type BlockJson,
  type BlockLimits,
  blockLimits,
  type CodeBlock,
  type DiffBlock,
  type ImageBlock,
  type ImageType,
  type JsonBlock,
  type LinkBlock,
  type MarkdownBlock,
  type TableBlock,
  type TableCell,
} from './block.js'
export { blocksText } from './blocks-text.js'
export { type CheckedBlocks, checkBlocks } from './check-blocks.js'
export { changesLineEnds, type DiffRun, diffRuns } from './diff-lines.js'
export {
  type BlockOptions,
  code,
  diff,
  type ImageOptions,
  image,
  json,
  link,
  markdown,
  type TableOptions,
  table,
} from './make-blocks.js'
export { type MarkdownInline, type MarkdownNode, readMarkdown } from './markdown.js'
export { type BlocksDigest, blocksIn, messageWith, readMessage, showMeta } from './shown-text.js'
