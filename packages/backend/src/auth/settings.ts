/** GET /settings: the enabled features, for clients to show. */
import type { Endpoint } from './auth-call.ts';

export const settings: Endpoint = async ({ auth }) =>
  Response.json({
    external: {
      email: true,
      phone: auth.config.AUTH_PHONE,
      anonymous_users: auth.config.AUTH_ANONYMOUS,
      ...(await auth.providers.status()),
      web3_ethereum: auth.config.AUTH_WEB3_ETHEREUM,
      web3_solana: auth.config.AUTH_WEB3_SOLANA,
    },
    manual_linking_enabled: auth.config.AUTH_MANUAL_LINKING,
    disable_signup: !auth.config.AUTH_SIGNUPS,
    mailer_autoconfirm: !auth.config.AUTH_CONFIRM_EMAIL,
    phone_autoconfirm: !auth.config.AUTH_CONFIRM_PHONE,
    sms_provider: auth.sms.provider,
    saml_enabled: auth.config.AUTH_SAML,
    passkeys_enabled: true,
  });
