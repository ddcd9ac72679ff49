/**
 * Services that are shown while the services table is empty. A test checks that they equal the starter services in
 * supabase/seed.sql.
 */
export const defaultServices = [
  {
    id: 'default-outreach-systems',
    title: 'Outreach Systems',
    slug: 'outreach-systems',
    icon_name: 'send',
    short_description:
      'Email and LinkedIn outreach that sounds like your best seller, lands in the inbox and stops when somebody answers.',
    long_description: `We build the whole path from a cold list to a booked call, and we build it on domains and mailboxes that you own.

**First the ground.** Sending domains, SPF, DKIM and DMARC, warm-up and volume limits, so that your main domain never carries the risk.

**Then the words.** Three to five short messages for each kind of buyer, written with your team and tested in small batches before anything is scaled.

**Then the routine.** Replies are sorted by intent, handed to the right person with context, and logged in your CRM. Every week you see what was sent, what came back and what we change next.`,
    timeline: '4-6 weeks',
    pricing: 'Fixed setup price, then monthly',
    deliverables: [
      'Sending domains and mailboxes, authenticated and warmed up',
      'Message sequences for each buyer profile',
      'Reply sorting and hand-over into your CRM',
      'Weekly report with the numbers that matter',
    ],
  },
  {
    id: 'default-lead-generation-automation',
    title: 'Lead Generation Automation',
    slug: 'lead-generation-automation',
    icon_name: 'radar',
    short_description:
      'A steady list of companies that fit, found by the signals they give off, checked, enriched and ready to contact.',
    long_description: `A good list is the largest lever in outbound. We replace the one-off spreadsheet with a pipeline that runs every morning.

**Signals.** New funding, job openings, technology changes, visits to your pricing page: we pick the few that predicted your last ten customers.

**Checks.** Every company is scored against your ideal customer, every address is verified, and duplicates of your CRM are removed before they cost anybody time.

**Delivery.** Leads arrive where your team works, each with the reason why it is there and a first line that refers to it.`,
    timeline: '3-5 weeks',
    pricing: 'Fixed setup price, then by volume',
    deliverables: [
      'Ideal customer profile with scoring rules',
      'Signal sources connected and monitored',
      'Verified contacts, enriched and free of duplicates',
      'Daily delivery into your CRM',
    ],
  },
  {
    id: 'default-ai-chatbots',
    title: 'AI Chatbots',
    slug: 'ai-chatbots',
    icon_name: 'messages',
    short_description:
      'An assistant that answers from your own content, qualifies politely, books the meeting and says so when it does not know.',
    long_description: `Visitors ask the same twenty questions at eleven in the evening. An assistant can answer nineteen of them, and should pass on the last one.

**Grounded.** It answers from your pages, documents and price list, and names what it used. It does not invent prices, dates or promises.

**Useful.** It asks one sensible question back, offers a time in your calendar and hands the conversation over with a summary.

**Measured.** You read every transcript, see which questions it could not answer, and decide what it learns next.`,
    timeline: '2-4 weeks',
    pricing: 'Fixed price per assistant',
    deliverables: [
      'Knowledge base made from your own content',
      'Conversation design in your tone of voice',
      'Calendar booking and hand-over to a person',
      'Transcripts and a monthly review',
    ],
  },
];
