import { isRecord } from '@beckon/core/json-rpc'

/** How many resources one stream may name. */
const maxUris = 1_000

/** A request to listen for changes with only those resources that its sender may be told of; any other as it is. */
export async function withAllowedResources(
  message: unknown,
  isAllowed: (uri: string) => Promise<boolean> | boolean,
): Promise<unknown> {
  if (!isRecord(message) || message.method !== 'subscriptions/listen' || !isRecord(message.params)) return message
  const { notifications } = message.params
  if (!isRecord(notifications) || !Array.isArray(notifications.resourceSubscriptions)) return message
  const uris = notifications.resourceSubscriptions.slice(0, maxUris).map(String)
  const verdicts = await Promise.all(uris.map(isAllowed))
  const resourceSubscriptions = uris.filter((_, index) => verdicts[index])
  return { ...message, params: { ...message.params, notifications: { ...notifications, resourceSubscriptions } } }
}
