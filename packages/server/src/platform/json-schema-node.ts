// `#json-schema` on Node and whatever else may compile code.
export { AjvJsonSchemaValidator as JsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
