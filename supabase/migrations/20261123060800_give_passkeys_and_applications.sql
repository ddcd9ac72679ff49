-- A person's data has their passkeys and the applications that they let in, where the authentication service has such.

alter function private.data_of(uuid, boolean) rename to basic_data_of;

create function private.data_of(_user_id uuid, _with_chats boolean) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  _data jsonb := private.basic_data_of(_user_id, _with_chats);
  _more jsonb;
begin
  if to_regclass('auth.webauthn_credentials') is not null then
    execute $sql$
      select jsonb_build_object('passkeys', coalesce(jsonb_agg(jsonb_build_object(
        'name', friendly_name, 'created_at', created_at, 'last_used_at', last_used_at
      ) order by created_at), '[]'))
      from auth.webauthn_credentials where user_id = $1
    $sql$ into _more using _user_id;
    _data := _data || _more;
  end if;
  if to_regclass('auth.oauth_consents') is not null then
    execute $sql$
      select jsonb_build_object('applications', coalesce(jsonb_agg(jsonb_build_object(
        'name', client.client_name, 'scopes', consent.scopes, 'granted_at', consent.granted_at,
        'revoked_at', consent.revoked_at
      ) order by consent.granted_at), '[]'))
      from auth.oauth_consents as consent join auth.oauth_clients as client on client.id = consent.client_id
      where consent.user_id = $1
    $sql$ into _more using _user_id;
    _data := _data || _more;
  end if;
  return _data;
end
$$;
revoke all on function private.data_of(uuid, boolean) from public;
