import { assistant, bait, type CorpusConversation, fact, talk, user } from './types.js'

/** Days that are only true when they are said, minds that change, and words that are taken back. */
export const datesAndChanges: readonly CorpusConversation[] = [
  talk(
    ['relative date', 'tuned', 'a release tomorrow'],
    [user('The release to the pilot hospital is tomorrow.'), assistant('Then we freeze today.')],
    {
      bait: [
        bait(
          'project',
          'Pilot',
          'The release to the pilot hospital is tomorrow.',
          'The release to the pilot hospital is tomorrow.',
        ),
        bait(
          'project',
          'Pilot, wrong day',
          'The release to the pilot hospital is on 2026-05-16.',
          'The release to the pilot hospital is tomorrow.',
        ),
      ],
      facts: [
        fact(
          'project',
          'The release to the pilot hospital is on 2026-05-07.',
          'The release to the pilot hospital is tomorrow.',
        ),
      ],
    },
  ),
  talk(
    ['relative date', 'tuned', 'a freeze next Friday'],
    [user('The code freeze begins next Friday, because the auditors come.'), assistant('Noted.')],
    {
      bait: [
        bait('project', 'Freeze', 'The code freeze begins next Friday.', 'The code freeze begins next Friday'),
        bait(
          'project',
          'Freeze, wrong month',
          'The code freeze begins on 2026-06-19.',
          'The code freeze begins next Friday',
        ),
      ],
      facts: [
        fact(
          'project',
          'The code freeze begins on 2026-05-15, because the auditors come.',
          'The code freeze begins next Friday, because the auditors come.',
        ),
      ],
    },
  ),
  talk(
    ['relative date', 'tuned', 'a contract that ended'],
    [user('The contract with the old host ended yesterday.'), assistant('Then we can remove it.')],
    {
      bait: [
        bait(
          'project',
          'Old host',
          'The contract with the old host ended yesterday.',
          'The contract with the old host ended yesterday.',
        ),
        bait(
          'project',
          'Old host, to come',
          'The contract with the old host ends on 2026-05-20.',
          'The contract with the old host ended yesterday.',
        ),
      ],
    },
  ),
  talk(
    ['relative date', 'held-out', 'a demo in two weeks'],
    [user('We show the demo to the ministry in two weeks.'), assistant('That leaves ten working days.')],
    {
      bait: [
        bait(
          'project',
          'Demo',
          'The team shows the demo in two weeks.',
          'We show the demo to the ministry in two weeks.',
        ),
        bait(
          'project',
          'Demo, wrong day',
          'The demo to the ministry is on 2026-11-02.',
          'We show the demo to the ministry in two weeks.',
        ),
      ],
      facts: [
        fact(
          'project',
          'The team shows the demo to the ministry on 2026-09-28.',
          'We show the demo to the ministry in two weeks.',
        ),
      ],
    },
  ),
  talk(
    ['relative date', 'held-out', 'an audit the day after tomorrow'],
    [user('The audit of the warehouse is the day after tomorrow.'), assistant('All right.')],
    {
      bait: [
        bait(
          'project',
          'Audit',
          'The audit of the warehouse is the day after tomorrow.',
          'The audit of the warehouse is the day after tomorrow.',
        ),
        bait(
          'project',
          'Audit, wrong day',
          'The audit of the warehouse is on 2026-09-30.',
          'The audit of the warehouse is the day after tomorrow.',
        ),
      ],
      facts: [
        fact(
          'project',
          'The audit of the warehouse is on 2026-09-16.',
          'The audit of the warehouse is the day after tomorrow.',
        ),
      ],
    },
  ),
  talk(
    ['relative date', 'held-out', 'a launch last month'],
    [user('The beta was launched last month, and today 40 shops use it.'), assistant('A good start.')],
    {
      bait: [
        bait('project', 'Beta', 'The beta was launched last month.', 'The beta was launched last month'),
        bait('project', 'Shops', 'Today 40 shops use the beta.', 'today 40 shops use it'),
      ],
    },
  ),
  talk(
    ['contradiction within', 'tuned', 'another day for deployments'],
    [
      user('We deploy on Tuesdays because support is fully staffed then.'),
      assistant('Tuesdays, then.'),
      user('I asked around: that was wrong, we deploy on Thursdays because support is fully staffed then.'),
      assistant('Thursdays.'),
    ],
    {
      bait: [
        bait(
          'project',
          'Deployments',
          'The team deploys on Tuesdays because support is fully staffed then.',
          'We deploy on Tuesdays because support is fully staffed then.',
        ),
      ],
      facts: [
        fact(
          'project',
          'The team deploys on Thursdays because support is fully staffed then.',
          'we deploy on Thursdays because support is fully staffed then.',
        ),
      ],
    },
  ),
  talk(
    ['contradiction within', 'tuned', 'quotes in code'],
    [
      user('Always use double quotes in examples.'),
      assistant('Fine.'),
      user('Forget what I said about quotes. Always use single quotes in examples.'),
      assistant('Single quotes.'),
    ],
    {
      bait: [
        bait(
          'feedback',
          'Double quotes',
          'Always use double quotes in examples.',
          'Always use double quotes in examples.',
        ),
      ],
      facts: [fact('feedback', 'Always use single quotes in examples.', 'Always use single quotes in examples.')],
    },
  ),
  talk(
    ['contradiction within', 'held-out', 'who signs releases'],
    [
      user('Marek approves every release of the firmware.'),
      assistant('I ask Marek.'),
      user('Correction: Ines approves every release of the firmware.'),
      assistant('I ask Ines.'),
    ],
    {
      bait: [
        bait(
          'project',
          'Firmware',
          'Marek approves every release of the firmware.',
          'Marek approves every release of the firmware.',
        ),
      ],
      facts: [
        fact('project', 'Ines approves every release of the firmware.', 'Ines approves every release of the firmware.'),
      ],
    },
  ),
  talk(
    ['contradiction within', 'held-out', 'how long answers are'],
    [
      user('Never give me more than one option.'),
      assistant('One option each time.'),
      user('On second thought, always give me two options with their costs.'),
      assistant('Two, with costs.'),
    ],
    {
      bait: [
        bait(
          'feedback',
          'One option',
          'Never give the user more than one option.',
          'Never give me more than one option.',
        ),
      ],
      facts: [
        fact(
          'feedback',
          'Always give the user two options with their costs.',
          'always give me two options with their costs.',
        ),
      ],
    },
  ),
  talk(
    ['contradiction across', 'tuned', 'an editor, at first'],
    [user('I use Emacs for everything I write.'), assistant('Good to know.')],
    {
      day: '2026-03-02',
      facts: [fact('user', 'The user uses Emacs for everything they write.', 'I use Emacs for everything I write.')],
    },
  ),
  talk(
    ['contradiction across', 'tuned', 'an editor, two months later'],
    [user('I switched: I now use Zed for everything I write.'), assistant('Zed, then.')],
    {
      bait: [bait('user', 'Both editors', 'The user uses Emacs and Zed.', 'I now use Zed for everything I write.')],
      facts: [
        fact(
          'user',
          'The user now uses Zed for everything they write.',
          'I now use Zed for everything I write.',
          'The user uses Emacs for everything they write.',
        ),
      ],
    },
  ),
  talk(
    ['contradiction across', 'held-out', 'a deadline, at first'],
    [user('The deadline for the tender is 2026-10-01.'), assistant('Enough time.')],
    {
      day: '2026-08-03',
      facts: [
        fact('project', 'The deadline for the tender is 2026-10-01.', 'The deadline for the tender is 2026-10-01.'),
      ],
    },
  ),
  talk(
    ['contradiction across', 'held-out', 'a deadline, moved'],
    [user('The deadline for the tender was moved to 2026-10-15.'), assistant('Two weeks more.')],
    {
      bait: [
        bait(
          'project',
          'Old deadline',
          'The deadline for the tender is 2026-10-01.',
          'The deadline for the tender was moved to 2026-10-15.',
        ),
      ],
      facts: [
        fact(
          'project',
          'The deadline for the tender was moved to 2026-10-15.',
          'The deadline for the tender was moved to 2026-10-15.',
          'The deadline for the tender is 2026-10-01.',
        ),
      ],
    },
  ),
  talk(
    ['correction', 'tuned', 'in the same breath'],
    [user('I prefer rebases. No wait, I prefer merge commits in shared branches.'), assistant('Merge commits.')],
    {
      bait: [bait('user', 'Rebases', 'The user prefers rebases.', 'I prefer rebases.')],
      facts: [
        fact(
          'user',
          'The user prefers merge commits in shared branches.',
          'I prefer merge commits in shared branches.',
        ),
      ],
    },
  ),
  talk(
    ['correction', 'tuned', 'in the next message'],
    [
      user('My timezone is Europe/Lisbon.'),
      assistant('Noted.'),
      user('Sorry, I meant Europe/Madrid. My timezone is Europe/Madrid.'),
      assistant('Madrid.'),
    ],
    {
      bait: [bait('user', 'Timezone', "The user's timezone is Europe/Lisbon.", 'My timezone is Europe/Lisbon.')],
      facts: [fact('user', "The user's timezone is Europe/Madrid.", 'My timezone is Europe/Madrid.')],
    },
  ),
  talk(
    ['correction', 'held-out', 'a number put right at once'],
    [
      user('Our customers are billed on the 5th, scratch that, our customers are billed on the 15th of each month.'),
      assistant('On the 15th.'),
    ],
    {
      bait: [bait('project', 'Billing', 'Customers are billed on the 5th.', 'Our customers are billed on the 5th')],
      facts: [
        fact(
          'project',
          "The team's customers are billed on the 15th of each month.",
          'our customers are billed on the 15th of each month.',
        ),
      ],
    },
  ),
  talk(
    ['correction', 'held-out', 'taken back a message later'],
    [
      user('I am allergic to long functions, never write one above 20 lines.'),
      assistant('Understood.'),
      user('Ignore that. 40 lines are fine, as everywhere.'),
      assistant('All right.'),
    ],
    {
      bait: [
        bait('feedback', 'Short functions', 'Never write a function above 20 lines.', 'never write one above 20 lines'),
        bait('user', 'Allergic', 'The user is allergic to long functions.', 'I am allergic to long functions'),
      ],
    },
  ),
]
