// `#json-schema` where code cannot be compiled from text, as in a Worker.
export { CfWorkerJsonSchemaValidator as JsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'
