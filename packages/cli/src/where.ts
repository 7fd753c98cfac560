/** A session's URL as messages show it: without user, password and query, whatever else is wrong with it. */
export function where(url: string): string {
  // A password may hold anything, if it was not encoded; so all up to the last @ goes.
  const [, scheme = '', place = ''] = /^([a-z+]*:\/\/)?(?:.*@)?([^?#]*)/is.exec(url) ?? [];
  return scheme + place;
}
