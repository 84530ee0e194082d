// `@beckon/app/show`: what an application puts beside a question.
export {
  type Block,
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
} from '@beckon/core/blocks'
