// Two tenants whose users have the same name, in one store: pnpm start redis, mongo or dynamodb
import { stores } from './stores.ts';
import { tenant } from './tenant.ts';

const [name = 'redis'] = process.argv.slice(2);
if (!Object.hasOwn(stores, name)) {
  console.error('pnpm start redis|mongo|dynamodb');
  process.exit(2);
}
const { open, stop } = await stores[name as keyof typeof stores]();
try {
  const [acme, beta] = [tenant('acme'), tenant('beta')].map((one) => open(one, 'ada'));
  await acme!.clearSession();
  await beta!.clearSession();
  await acme!.addItems([{ role: 'user', content: 'I am Ada of Acme.' }]);
  await beta!.addItems([{ role: 'user', content: 'I am Ada of Beta.' }]);
  console.log('acme', await acme!.getItems());
  console.log('beta', await beta!.getItems());
  await acme!.clearSession();
  console.log('acme was cleared; beta', await beta!.getItems());
} finally {
  await stop();
}
