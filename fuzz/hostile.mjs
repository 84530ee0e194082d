// Values that programs have stumbled over: names that every object has, numbers at the edge of what a number is, text that turns,
// hides, splits or never ends.

/** @type {readonly string[]} */
export const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '',
  '0',
  '-1',
  '$ref',
  '~',
  '/',
  '..',
]

/** @type {readonly string[]} */
export const texts = [
  ...names,
  '\u0000',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u2066gnp.exe',
  '\u200b\u200d\ufeff',
  'a\u0300\u0301\u0302\u0303'.repeat(20),
  '👩‍👩‍👧‍👦'.repeat(9),
  'İıſK',
  '\r\nset-cookie: a=b\r\n\r\n',
  '<script>alert(1)</script>',
  '"\'`$\\',
  '%00%2e%2e%2f',
  '../../etc/passwd',
  'http://127.0.0.1:1/',
  'javascript:alert(1)',
  'data:text/html,x',
  '1e999',
  '9007199254740993',
  '0x10',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '*',
  '(a+)+$',
  'a'.repeat(64),
]

/** @type {readonly unknown[]} */
export const scalars = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e21,
  1e308,
  -1e308,
  5e-324,
  8.64e15 + 1,
  ...texts,
]

/** @param {number} depth */
export function nested(depth, leaf = /** @type {unknown} */ (1), isList = true) {
  let value = leaf
  for (let level = 0; level < depth; level++) value = isList ? [value] : { a: value }
  return value
}
