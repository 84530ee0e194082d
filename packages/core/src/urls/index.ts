export {
  type InspectedUrl,
  type InspectUrlOptions,
  inspectUrl,
  type RefusedUrl,
  type UrlInspection,
  type UrlRefusal,
} from './inspect-url.js'
export type { UrlWarning, UrlWarningKind } from './url-warning.js'
