import type { Widget } from '../../author/widget.js'
import { diffWidget } from './diff.js'
import { imageWidget } from './images.js'
import { listWidget } from './list.js'
import { tableWidget } from './table.js'
import { uploadWidget } from './upload.js'

export { type DiffAsk, diffWidget, reviewDiff } from './diff.js'
export { chooseImage, type ImageAsk, type ImageOption, imageWidget } from './images.js'
export { listWidget } from './list.js'
export { type RowsAsk, type SelectRowsOptions, selectRows, tableWidget } from './table.js'
export { uploadWidget } from './upload.js'

/**
 * All of them.
 * @example
 * createServer({ name: 'shop', version: '1.0.0', widgets: readyWidgets })
 */
export const readyWidgets: readonly Widget[] = [listWidget, tableWidget, diffWidget, imageWidget, uploadWidget]
