export { type Approval, type ApprovalOptions, type Approve, approvalsOn, type ToolCall } from './approvals.js'
