export const PRIVACY_TEXT = `This page explains which data {site} collects about you when you use this website, how we use it, and when it is deleted.

## Who is responsible

{site} runs this website. Send questions about your data, and requests to use your rights below, to [{email}](mailto:{email}).

## When you visit the public pages

- You need no account to read. The public pages set no cookies and load no advertising and no analytics of other companies.
- We may count visits: how often a page was viewed, which site led to it, and on what kind of device, as daily totals. These figures do not identify you: they need no cookie, your network address is not stored with them, and browsers that ask not to be tracked are not counted. They are deleted after 25 months.
- To prevent abuse, we count requests by a scrambled form of your network address. It is used for nothing else and deleted within about a day.
- Videos of YouTube and Vimeo load only when you press play. From then on, that company's own rules apply. Pictures may be loaded from other hosts, which then see your network address.
- If calls are booked with another service, its page is embedded in ours, and its provider sees your visit.

## When you chat with the assistant

- The conversation is stored with its times, so that you can find it again. Its number is kept in your browser, and anyone with that number can read it. Neither your account nor your network address is stored with it.
- Our team can read conversations, to answer you and to improve the assistant.
- Replies come from our own server, or from a language model that we connected to it. In the second case, your messages in this conversation, and relevant published content of this site, are sent to the provider of that model to write the reply. Please do not share anything with the assistant that you would not write to us in a letter.
- Conversations are deleted {retention} after their last message.

## When you write to us, book a call or subscribe

Some of these features may be switched off. A feature that is switched off stores nothing.

- **Messages**: the details that you enter in the contact form, or give to the assistant with your consent: your email address, your message and, if you give them, your name, your phone number and a good time to call. They are deleted {retention} after we last worked with them.
- **Calls**: the time, your name, your email address, your time zone and, if you give them, your phone number and a message. We send you a confirmation and a reminder. They are deleted {retention} after the call.
- **Newsletter**: your email address, once you have confirmed it by a link. Without confirmation it is deleted after 7 days. Every issue has an unsubscribe link.

New messages may be passed on to the system in which we manage our contacts. We keep a record of this for 30 days.

## When you have an account

- We keep your email address, your name if you give one, your role, and your password in a form from which it cannot be recovered. If you sign in with another company, we keep your user number there and your email address.
- For each session we keep its start time, your browser and your network address, so that you can see and end your sessions. Sign-ins and account changes are recorded with their time and network address.
- If you edit this site, it keeps earlier versions of each text with the name of their author, for at most 90 days after they were replaced, and shows other editors which form you have open.
- Your account page shows your sessions, lets you download all your data, and lets you delete the account.

## Emails

Emails to you are stored in our database until they are sent, and then deleted there. An email that cannot be sent is deleted after 30 days. Our email provider can see them.

## Who else gets your data

Only those named on this page: the company that hosts this site, our email provider, the provider of the language model if we use one, the provider of a captcha that a form asks you to complete, the company that sends our text messages if you add a phone number, and the services that you use yourself by pressing play, signing in or booking with them. We do not sell data.

## Your rights

You may ask which data we have about you, have it corrected, deleted or transferred, object to its use, and withdraw any consent for the future. Write to [{email}](mailto:{email}). You may also complain to the data protection authority of your country.`;
