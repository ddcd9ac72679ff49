-- Codes go to telephones as well as to mailboxes.

alter table backend.mailed_tokens rename column email to recipient;
comment on column backend.mailed_tokens.recipient is
  'Where it was sent: an e-mail address, or a phone number as E.164 without the plus sign, which has no @ in it.';
