/** The site as one function from request to response. Pages are rendered whole, because the server keeps them whole. */
import { createStartHandler, defaultRenderHandler } from '@tanstack/react-start/server';

export default { fetch: createStartHandler(defaultRenderHandler) };
