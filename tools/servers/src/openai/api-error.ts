/** How the API says no: a status, a body of one form, and now and then a header. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    details: { type?: string; code?: string; param?: string; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.type = details.type ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
    this.code = details.code ?? null;
    this.param = details.param ?? null;
    this.headers = details.headers ?? {};
  }

  get body() {
    const { message, type, param, code } = this;
    return { error: { message, type, param, code } };
  }
}

/** What a client sent is not what the endpoint takes. */
export function invalid(message: string, param?: string, code?: string): ApiError {
  return new ApiError(400, message, { ...(param && { param }), ...(code && { code }) });
}

export function notFound(message: string): ApiError {
  return new ApiError(404, message);
}

export function rateLimited(retryAfterSeconds: number): ApiError {
  return new ApiError(429, `Rate limit reached. Please try again in ${retryAfterSeconds}s.`, {
    type: 'requests',
    code: 'rate_limit_exceeded',
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
