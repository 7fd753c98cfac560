import { isSessionError, type SessionErrorCode } from '@sessions/core';
import { MongoServerError } from 'mongodb';
import { expect, test } from 'vitest';
import { mongoError } from '../src/mongo-error.ts';

/** As servers that are not to be had here say it, by what is known of them. */
const SAID: readonly [errmsg: string, number: number | undefined, code: SessionErrorCode, advice: RegExp][] =
  [
    ['Retryable writes are not supported', 301, 'INCOMPATIBLE_STORE', /retryWrites=false/],
    [
      'Retryable writes are not supported. Please disable retryable writes by specifying "retrywrites=false"',
      2,
      'INCOMPATIBLE_STORE',
      /retryWrites=false/,
    ],
    [
      'This MongoDB deployment does not support retryable writes. Please add retryWrites=false to your connection string.',
      undefined,
      'INCOMPATIBLE_STORE',
      /retryWrites=false/,
    ],
    ['you are over your space quota, using 513 MB of 512 MB', 8_000, 'UNAVAILABLE', /storage .* is full/],
    ['bad auth : Authentication failed.', 8_000, 'ACCESS_DENIED', /user, password and roles/],
    // What is quoted says nothing.
    ['failed on { _id: "Retryable writes are not supported" }', 121, 'INCOMPATIBLE_STORE', /validator/],
    ['failed on { _id: "you are over your space quota" }', 1, 'OUTCOME_UNKNOWN', /may/],
  ];

test.each(SAID)('"%s" (%s) is %s', (errmsg, number, code, advice) => {
  const said = new MongoServerError({ errmsg, ...(number !== undefined && { code: number }) });
  const error = mongoError(said, 'OUTCOME_UNKNOWN');
  expect(isSessionError(error, code), error.code).toBe(true);
  expect(error.message).toMatch(advice);
});
