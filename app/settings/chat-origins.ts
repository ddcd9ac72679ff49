import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type AllowedOrigins, parseOrigins } from '../../supabase/functions/ai-chat/origins.ts';
import { publicApi } from '../api/visitor-api.ts';

export { unreadableOrigin } from '../../supabase/functions/ai-chat/origins.ts';

/** Reads the sites that may embed the chat. */
export const chatOriginsQuery = queryOptions({
  queryKey: ['site_settings', 'chat_allowed_origins'],
  queryFn: async ({ signal }): Promise<AllowedOrigins> => {
    const api = await publicApi();
    const { data } = await api
      .from('site_settings')
      .select('setting_value')
      .eq('setting_key', 'chat_allowed_origins')
      .abortSignal(signal)
      .throwOnError();
    return parseOrigins(data[0]?.setting_value ?? '');
  },
});

/** Returns the frame-ancestors sources for pages that other sites may embed. */
export async function frameAncestors(queryClient: QueryClient): Promise<string> {
  const origins = await queryClient.ensureQueryData(chatOriginsQuery);
  return origins === 'any' ? '*' : ["'self'", ...origins].join(' ');
}
