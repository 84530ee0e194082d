import { findProgram } from './find-program.mjs'

/** @returns {string | undefined} the path of the server */
export function findNginx() {
  // Debian has it where only root looks.
  return findProgram(['nginx'], { folders: ['/usr/sbin'] })
}
