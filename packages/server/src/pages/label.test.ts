import { expect, it } from 'vitest'
import { labelFrom } from './label.js'

it.each([
  ['username', 'User name'],
  ['userName', 'User name'],
  ['user_name', 'User name'],
  ['password', 'Password'],
  ['newPassword', 'New password'],
  ['pwd', 'Password'],
  ['apiKey', 'API key'],
  ['api_key', 'API key'],
  ['customer-id', 'Customer ID'],
  ['otp', 'One-time code'],
  ['Straße', 'Straße'],
  ['constructor', 'Constructor'],
  ['_', '_'],
])('a field that is named %s is labelled %s', (name, label) => {
  expect(labelFrom(name)).toBe(label)
})
