// A server to try things on, until it is interrupted: `pnpm start redis`, `mongo` or `dynamodb` in this folder.
import { startDynamoDB } from './dynamodb.ts';
import { startMongo } from './mongo.ts';
import { startRedis } from './redis.ts';

const stores = {
  redis: { variable: 'REDIS_URL', start: () => startRedis() },
  mongo: { variable: 'MONGODB_URL', start: () => startMongo() },
  dynamodb: { variable: 'DYNAMODB_URL', start: () => startDynamoDB() },
};

const [name = ''] = process.argv.slice(2);
if (!Object.hasOwn(stores, name)) {
  console.error('pnpm start redis|mongo|dynamodb');
  process.exit(2);
}
const { variable, start } = stores[name as keyof typeof stores];
const server = await start();
const running = setInterval(() => undefined, 60_000);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await server.stop();
    clearInterval(running);
  });
}
console.log(`export ${variable}='${server.url}'`);
console.log('It keeps its data until it ends, with Ctrl-C.');
