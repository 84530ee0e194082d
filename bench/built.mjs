/**
 * Imports a built file that its package does not export. By a path that is put together here, so that the type check, which
 * reads sources, needs no build: the caller says what type the module has.
 * @param {string} path within `packages`, such as `desk/dist/fill.js`
 * @returns {Promise<any>}
 */
export const built = path => import(new URL(`../packages/${path}`, import.meta.url).href)
