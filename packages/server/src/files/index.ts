export { type FileOptions, type FileSchema, file, type UploadedFile } from '../author/file-schema.js'
export { type Files, type FilesOptions, files } from './files.js'
export { folder } from './folder.js'
export type { FilePlace } from './place.js'
