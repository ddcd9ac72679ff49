export const COOKIES_TEXT = `The public pages of {site} set no cookies. Instead, they keep a few things in the storage of your browser that buttons and forms need to work. These are sent to this site only, do not track you, and require no consent.

## On every page

| Name | Purpose | Duration |
|---|---|---|
| \`theme-mode\` | light, dark, or the setting of your system | until you clear it |
| \`started\` | shows the opening animation only once | until you close the tab |
| \`scroll-positions\` | returns you to your position on a page | until you close the tab |
| \`chatbot_conversation_id\` | finds your conversation with the assistant again | until you clear the chat |
| \`chatbot_declined\` | hides an offer of the assistant that you declined | until you decline one in another conversation |
| \`preview-access\` | remembers the passcode of a site that is not open yet | 30 days |
| \`video-to-play\` | remembers that you pressed play while the page reloads | a few seconds |

## When you sign in

| Name | Purpose | Duration |
|---|---|---|
| \`sb-…-auth-token\` | keeps you signed in | until you sign out |
| \`dashboard-path\` | links to your dashboard | until you sign out |
| \`address-proof-verifier\` | ties an emailed link to this browser while you confirm your address | until you open the link |
| \`unsaved-work\` | text that you entered in a form and have not saved | until you save or discard it |
| \`sidebar_state\` (a cookie) | whether the sidebar of the admin area is open | 7 days |
| a cookie of the sign-in service | returns you to this site after you sign in with another company | until you have signed in |

## When you open an approval from an email

| Name | Purpose | Duration |
|---|---|---|
| \`approval_link_holder\` | ties the approval and lead links in your emails to this browser | until you clear it |

## When you open a preview

If someone gives you a link to see this site before it is published, the link sets one cookie, \`preview\`, for the pages of that preview. It is deleted soon after the link has expired.

## Other companies

We load no advertising and no analytics. Videos from YouTube and Vimeo load only when you press play, and calls may be booked on a page of another service. Both may then store data in your browser under their own rules.

## How to delete it

You can delete all of this in the settings of your browser, under website data. The site works without it and asks you again where necessary. See the page about [privacy](/privacy) for the data that we keep on our servers.`;
