export type {
  ChannelDesk,
  ChannelReply,
  ChannelRequest,
  ChannelRoute,
  ChannelSettings,
  EndedNotice,
  Notice,
  NotifyChannel,
  NotifyChannelOrFactory,
  Recipient,
} from './channel.js'
export { type Notify, type NotifyOptions, notify } from './notify.js'
