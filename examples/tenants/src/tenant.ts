/** The name of a tenant, as it may stand in prefixes, collections and tables of any store. */
export type Tenant = string & { readonly brand: 'tenant' };

/**
 * Checks a tenant's name. It comes from your own list of tenants, or from a signed token, and never from what a user sends. The
 * characters are those that no store gives a meaning to; upper case is left out, so that no two names differ by that alone.
 *
 * @throws RangeError
 */
export function tenant(name: unknown): Tenant {
  if (typeof name === 'string' && /^[a-z][a-z0-9-]{0,39}$/.test(name)) return name as Tenant;
  throw new RangeError('A tenant is 1 to 40 of a-z, 0-9 and -, and begins with a letter.');
}
