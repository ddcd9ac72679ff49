/** What the framework itself is told: how errors travel to the browser, and who may call server functions. */
import { createSerializationAdapter } from '@tanstack/react-router';
import { createCsrfMiddleware, createStart } from '@tanstack/react-start';

/** An error on the server is logged there; the page learns only that there was one, never its message. */
const errorAdapter = createSerializationAdapter({
  key: 'error',
  test: (value: unknown): value is Error => value instanceof Error,
  toSerializable: (error) => {
    console.error(error);
    return 'The server could not load this.';
  },
  fromSerializable: (message) => new Error(message),
});

export const startInstance = createStart(() => ({
  serializationAdapters: [errorAdapter],
  requestMiddleware: [createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' })],
}));
