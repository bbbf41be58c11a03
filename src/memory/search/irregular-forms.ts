/** English forms that no rule about endings leads back to their word. Forms that are common words of their own (`rose`, `bit`) stay. */

/** The word that a form belongs to; any other word as it is. */
export function baseForm(word: string): string {
  return bases.get(word) ?? word;
}

/** A word, then its forms. Regular forms stand here where they are spelled unlike what a stemmer makes of the word. */
const families = `
  arise arose arisen
  awake awoke awoken
  beat beaten
  become became
  begin began begun
  bend bent
  bite bitten
  bleed bled
  blow blew blown
  break broke broken
  breed bred
  bring brought
  build built
  burn burnt
  buy bought
  catch caught
  choose chose chosen
  come came
  creep crept
  deal dealt
  dig dug
  die died dying
  draw drew drawn
  dream dreamt
  drink drank drunk
  drive drove driven
  eat ate eaten
  fall fell fallen
  feed fed
  feel felt
  fight fought
  find found
  flee fled
  fly flew flown
  forbid forbade forbidden
  forget forgot forgotten
  forgive forgave forgiven
  freeze froze frozen
  get got gotten
  give gave given
  go went gone goes
  grow grew grown
  hang hung
  hear heard
  hide hid hidden
  hold held
  keep kept
  kneel knelt
  know knew known
  lead led
  lean leant
  leap leapt
  learn learnt
  leave left
  lend lent
  lie lied lying lain
  light lit
  lose lost
  make made
  mean meant
  meet met
  mistake mistook mistaken
  pay paid
  prove proven
  ride rode ridden
  ring rang rung
  rise risen
  run ran
  say said
  see saw seen
  seek sought
  sell sold
  send sent
  sew sewn
  shake shook shaken
  shine shone
  shoot shot
  show shown
  shrink shrank shrunk
  sing sang sung
  sink sank sunk
  sit sat
  sleep slept
  slide slid
  speak spoke spoken
  spell spelt
  spend spent
  spin spun
  spill spilt
  spoil spoilt
  spring sprang sprung
  stand stood
  steal stole stolen
  stick stuck
  sting stung
  strike struck stricken
  strive strove striven
  swear swore sworn
  sweep swept
  swell swollen
  swim swam swum
  swing swung
  take took taken
  teach taught
  tear tore torn
  tell told
  think thought
  throw threw thrown
  tie tied tying
  understand understood
  upset upsetting
  wake woke woken
  wear wore worn
  weave wove woven
  weep wept
  win won
  withdraw withdrew withdrawn
  write wrote written
  2 two
  3 three
  4 four
  5 five
  6 six
  7 seven
  8 eight
  9 nine
  10 ten
  11 eleven
  12 twelve
  analysis analyses
  calf calves
  child children
  crisis crises
  criterion criteria
  diagnosis diagnoses
  elf elves
  foot feet
  goose geese
  half halves
  hypothesis hypotheses
  index indices
  knife knives
  life lives
  loaf loaves
  man men
  medium media
  mouse mice
  person people
  phenomenon phenomena
  self selves
  shelf shelves
  thesis theses
  thief thieves
  tooth teeth
  wife wives
  wolf wolves
  woman women
`;

const bases = new Map(
  families
    .trim()
    .split("\n")
    .map((family) => family.trim().split(" "))
    .flatMap(([base = "", ...forms]) => forms.map((form) => [form, base] as const)),
);
