export const PRIVACY_TEXT = `This page says what {site} learns about you when you use this website, what we do with it, and when it is deleted.

## Who is responsible

{site} runs this website. Questions about your data, and every wish below, go to [{email}](mailto:{email}).

## When you only read

- Reading needs no account. The public pages set no cookies and load no advertising and no analytics of other companies.
- We may count visits: how often a page was viewed, which site led to it, and on what kind of device, as sums of a day. These figures know no person: they need no cookie, your network address is not kept with them, and browsers that ask not to be tracked are not counted. They are deleted after 25 months.
- To keep abuse away, we count requests under a scrambled form of your network address, which is of no use for anything else and is forgotten within about a day.
- Videos of YouTube and Vimeo load only when you press play. From then on that company's own rules apply. A picture that lies on another host is fetched from there, and that host then sees your network address.
- Where calls are booked on the page of another service, that page is part of ours and its provider sees your visit.

## When you chat with the assistant

- The conversation is stored with its times, so that you find it again. Its number is kept in your browser, and whoever has that number can read it. Neither your account nor your network address is stored with it.
- Our team can read conversations, to answer you and to make the assistant better.
- Replies come from our own server, or from a language model that we connected to it. In the second case what you wrote in this conversation, and the published content of this site that fits, are sent to the provider of that model to write the reply. Please tell the assistant nothing that you would not tell us in a letter.
- Conversations are deleted {retention} after their last message.

## When you write to us, book a call or subscribe

Not all of this is switched on at all times. What is not switched on stores nothing.

- **Messages**: what you enter in the contact form, or leave with the assistant after agreeing to it: your email address, your message and, where you give them, your name, your phone number and a good time to call. Deleted {retention} after somebody last worked with it.
- **Calls**: the time, your name, your email address, your time zone and, where you give them, your phone number and a message. We send you a confirmation and a reminder. Deleted {retention} after the call.
- **Newsletter**: your email address, once you have confirmed it by a link. Without confirmation it is deleted after 7 days, and every letter has a link to leave.

New messages may be passed on to the system in which we keep our contacts. Our record of having done so is kept for 30 days.

## When you have an account

- We keep your email address, your name if you give one, your role, and your password in a form from which it cannot be read back. If you sign in with another company, we keep the number that you have there and your email address.
- For each session we keep when it began, your browser and your network address, so that you can see and end your sessions. Sign-ins and changes of the account are recorded with their time and network address.
- If you edit this site, it keeps the last versions of each text with who made them, for at most 90 days after they were replaced, and shows the other editors which form you have open.
- Your account page shows your sessions, gives you all your data as a file, and deletes the account.

## Mails

Mails to you wait in our database until they are sent, and are then deleted there. The provider that carries our mail sees them, as any post office would.

## Who else gets your data

Nobody but those named on this page: the company that hosts this site, the one that carries our mail, the provider of the language model if there is one, and the services that you use yourself by pressing play, signing in or booking with them. We sell nothing.

## Your rights

You may ask what we have about you, have it corrected, deleted or handed over, object to its use, and take back any consent for the future. Write to [{email}](mailto:{email}). You may also complain to the data protection authority of your country.`;
