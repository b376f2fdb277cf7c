"""The words of the demo treebank: in every list the common ones come first.

A noun is its singular (and plural, where that is irregular); a verb its base form (and past,
participle and gerund, as far as they are irregular).
"""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _entries(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(entry.split()) for entry in text.split(","))


# --- names ---------------------------------------------------------------------------------------

FIRST_NAMES = _words("""
    Anna Ben Clara Tom Lucy Omar Nina Paul Rosa Sam Emma Jack Maya Leo Vera Hugo Alice Ivan Ruth
    Karl Irene Felix Amir Greta Oscar Julia Simon Priya Theo Martha Yusuf Helen Victor Edith
    Noah Olga Dennis Wanda Marco Sofia Arthur Ingrid Rafael Bella Conrad Dalia Emil Frieda
    Gilbert Hana Isaac Jasmine Kenji Lydia Milo Naomi Otto Petra Quentin Rita Stefan Tessa
    Ulrich Viola Walter Xenia Yara Zoe
""")
LAST_NAMES = _words("""
    Novak Miller Rossi Okafor Weber Lang Silva Haddad Moreau Lind Baker Kowalski Ito Fraser
    Mendez Petrov Dunn Larsen Quist Abbott Varga Sharma Tanaka Hoffman Greene Ortiz Falk Burns
    Castell Jansen Pryce Underhill Zeller Ashdown Brandt Corbin Dragan Eklund
""")
CITIES = _words("""
    Paris London Vienna Oslo Lisbon Cairo Boston Prague Leeds Dublin Madrid Osaka Geneva Quito
    Warsaw Bergen Turin Halifax Toulouse Graz Tampere Porto Basel Utrecht Ghent Malmo Trieste
""")
COMPANIES = _words("""
    Norvex Altima Bluewell Quantor Ferrox Lumina Castor Delphia Orbix Pellworm Zentra Halden
""")
MONTHS = _words("May March June October April December July September August January")
DAYS = _words("Monday Friday Sunday Tuesday Saturday Wednesday Thursday")

# --- nouns ---------------------------------------------------------------------------------------

PEOPLE = _entries("""
    teacher, doctor, woman women, man men, child children, friend, student, girl, boy,
    neighbour, nurse, lawyer, farmer, driver, cook, artist, engineer, baker, soldier, singer,
    writer, guest, customer, manager, waiter, scientist, mayor, pilot, sailor, thief thieves,
    judge, cousin, sister, brother, uncle, aunt, tourist, reporter, painter, tailor, plumber,
    dentist, librarian, gardener, witness, player, coach, clerk, guide, officer, fisherman
    fishermen, carpenter, musician, actor, editor, tenant, landlord, rival, pupil, stranger,
    widow, poet, chemist, translator, surgeon, beekeeper, blacksmith, juggler, archivist,
    cellist, locksmith, plasterer
""")
ANIMALS = _entries("""
    dog, cat, horse, bird, cow, mouse mice, sheep sheep, goat, duck, fox, rabbit, wolf wolves,
    hen, donkey, frog, pony, goose geese, crow, hedgehog, otter, squirrel, heron, badger,
    magpie, ferret
""")
THINGS = _entries("""
    car, door, table, window, box, chair, bag, bicycle, lamp, watch, coat, clock, picture,
    shirt, bed, bottle, boat, radio, ring, hat, mirror, ball, ladder, engine, phone, umbrella,
    camera, suitcase, shoe, computer, basket, blanket, carpet, curtain, wallet, ticket, guitar,
    drum, piano, vase, stove, candle, printer, parcel, bell, fence, shelf shelves, drawer,
    pillow, jacket, bucket, barrel, wagon, kettle, cushion, sofa, lantern, statue, violin,
    anchor, tractor, easel, canoe, sundial, trolley, chandelier, wardrobe, hammock, birdcage,
    telegram, compass, lute
""")
TOOLS = _entries("""
    knife knives, hammer, key, spoon, brush, rope, pencil, needle, shovel, saw, stick, broom,
    fork, screwdriver, chisel, towel, razor, crowbar, spatula, trowel, sponge, lever, plane,
    wrench
""")
FOOD = _entries("""
    apple, cake, sandwich, egg, pie, fish fish, potato, soup, orange, pancake, sausage, carrot,
    pizza, biscuit, onion, tomato, peach, dumpling, plum, burger, omelette, turnip, waffle, fig
""")
TEXTS = _entries("""
    book, letter, report, story, poem, article, play, note, message, novel, contract, list,
    diary, review, speech, essay, leaflet, manual, recipe, map, petition, sermon, ballad, memo,
    footnote
""")
IDEAS = _entries("""
    plan, idea, problem, answer, question, decision, mistake, reason, rule, offer, promise, law,
    price, result, rumour, theory, project, proposal, warning, change, risk, habit, secret,
    dream, agreement, victory, debate, strike, budget, fear, remedy, verdict, paradox, detour,
    setback
""")
PLACES = _entries("""
    house, garden, kitchen, street, school, park, office, river, shop, station, hotel, bridge,
    village, market, church, library, forest, hospital, museum, farm, town, room, beach, hill,
    factory, restaurant, theatre, field, airport, cellar, tower, harbour, square, valley,
    bakery, castle, island, stable, prison, meadow, attic, balcony, courtyard, lighthouse,
    orchard, quarry, chapel, vineyard, monastery, boathouse, greenhouse, pantry, swamp
""")
STUFF = _entries("""
    water, milk, tea, coffee, sugar, bread, rice, money, wood, paper, music, rain, snow, sand,
    wine, cheese, glass, flour, silver, salt, wool, honey, cement, leather, vinegar, gravel
""")
TIMES = _entries("day, week, month, year, night, summer, winter, spring, autumn")
DAYTIMES = _entries("morning, evening, afternoon, night, winter, summer")
CONTAINERS = _entries(
    "glass, bottle, cup, bag, box, piece, bowl, pile, barrel, jar, sack, crate, jug, spoonful"
)

# --- adjectives and adverbs ----------------------------------------------------------------------

OF_PEOPLE = _words("""
    old young tall happy tired clever famous rich kind angry polite busy lazy proud strict
    nervous brave honest curious poor shy stubborn cheerful lonely generous impatient grumpy
    talented jealous humble witty timid ruthless sleepy eloquent
""")
OF_THINGS = _words("""
    new small big red old green black heavy broken cheap white beautiful wooden expensive dirty
    blue round strange empty huge narrow bright yellow tiny clean wet golden useful thin dusty
    square rusty fragile crooked purple shiny damp hollow faded ornate lopsided
""")
OF_IDEAS = _words("""
    good important bad new simple difficult strange serious final clear secret obvious foolish
    sudden careful unfair sensible brilliant vague risky urgent absurd plausible hasty drastic
""")
OF_FOOD = _words("hot fresh sweet cold warm delicious stale bitter ripe sour salty crisp mouldy")
COMPARED = {
    "old": "older oldest", "young": "younger youngest", "tall": "taller tallest",
    "happy": "happier happiest", "clever": "cleverer cleverest", "rich": "richer richest",
    "kind": "kinder kindest", "angry": "angrier angriest", "busy": "busier busiest",
    "small": "smaller smallest", "big": "bigger biggest", "heavy": "heavier heaviest",
    "cheap": "cheaper cheapest", "good": "better best", "bad": "worse worst",
    "simple": "simpler simplest", "bright": "brighter brightest", "hot": "hotter hottest",
    "sweet": "sweeter sweetest", "cold": "colder coldest", "warm": "warmer warmest",
    "poor": "poorer poorest", "lazy": "lazier laziest", "strange": "stranger strangest",
}  # fmt: skip
COMPARED_PEOPLE = _words("old tall young happy clever rich kind angry busy poor lazy")
DEGREES = _words("very quite too really rather so extremely fairly")
MANNERS = _words("""
    quickly slowly carefully quietly suddenly happily badly loudly gently easily angrily calmly
    secretly politely clumsily eagerly patiently bravely sadly hastily gladly silently grimly
""")
FREQUENCIES = _words("often always never usually sometimes already still rarely probably seldom")
WHENS = _words("yesterday today here again now there soon tomorrow outside upstairs twice abroad")
SENTENCE_ADVERBS = _words("however fortunately later perhaps finally meanwhile sadly clearly")

# --- verbs: what a verb goes with decides what is built ------------------------------------------

INTRANSITIVE = _entries("""
    sleep slept slept, arrive, laugh, smile, work, leave left left, wait, dance, cry, swim swam
    swum swimming, fall fell fallen, walk, run ran run running, disappear, sing sang sung, wake
    woke woken, shout, rest, travel travelled travelled travelling, cough, yawn, hesitate, kneel
    knelt knelt, stumble, whistle, blush, sneeze, faint, giggle, limp, tremble, snore
""")
MOVING = _entries("""
    go went gone, walk, run ran run running, come came come, drive drove driven, climb, return,
    travel travelled travelled travelling, ride rode ridden, hurry, sail, march, crawl, rush,
    wander, swim swam swum swimming, cycle, gallop, tiptoe
""")
ON_THINGS = _entries("""
    buy bought bought, find found found, break broke broken, sell sold sold, repair, carry,
    clean, lose lost lost, paint, move, steal stole stolen, hide hid hidden, open, build built
    built, hit hit hit hitting, throw threw thrown, drop dropped dropped dropping, wash, pull,
    push, lift, cover, examine, polish, burn, hang hung hung, borrow, fix, damage, measure,
    smash, wrap wrapped wrapped wrapping, dismantle, varnish, scratch, tow
""")
ON_FOOD = _entries("""
    eat ate eaten, cook, cut cut cut cutting, taste, order, bake, prepare, fry, peel, share,
    slice, chop chopped chopped chopping, boil, devour, nibble, season
""")
ON_TEXTS = _entries("""
    read read read, write wrote written, translate, copy, publish, sign, print, finish, edit,
    quote, correct, burn, memorise, annotate, proofread proofread proofread
""")
ON_PEOPLE = _entries("""
    meet met met, help, call, visit, invite, follow, thank, greet, teach taught taught, kiss,
    hire, marry, blame, warn, save, arrest, praise, interview, tease, insult, rescue, betray,
    console
""")
ON_IDEAS = _entries("""
    discuss, explain, accept, change, reject, solve, support, announce, criticise, defend,
    ignore, postpone, cancel cancelled cancelled cancelling, approve, oppose, abandon, refute,
    veto
""")
ON_STUFF = _entries("""
    buy bought bought, drink drank drunk, spill, pour, carry, sell sold sold, mix, spread spread
    spread, import, scatter, sprinkle
""")
ON_ANIMALS = _entries("""
    feed fed fed, chase, catch caught caught, buy bought bought, follow, stroke, sell sold sold,
    train, frighten, tame, groom
""")
LASTING = _entries("""
    like, know knew known, love, own, want, remember, hate, need, prefer preferred preferred
    preferring, fear, miss, admire, recognise, trust, envy, resent
""")
SEEING = _entries(
    "see saw seen, watch, notice, hear heard heard, photograph, draw drew drawn, observe, sketch"
)
GIVING = _entries("""
    give gave given, send sent sent, show showed shown, bring brought brought, sell sold sold,
    offer, lend lent lent, hand, pay paid paid, promise, award, post
""")
PLACING = _entries("""
    put put put putting, leave left left, place, hang hung hung, store, hide hid hidden, drop
    dropped dropped dropping, lay laid laid, stack, bury, pin pinned pinned pinning
""")
WITH_PREPOSITION = {
    "about": _entries("talk, think thought thought, complain, dream, worry, argue, joke, gossip"),
    "for": _entries("wait, look, search, pay paid paid, ask, apologise, vote, pray"),
    "at": _entries("look, laugh, shout, smile, stare, point, glance, wink"),
    "to": _entries("listen, talk, speak spoke spoken, write wrote written, belong, reply"),
    "on": _entries("depend, rely, work, insist, comment"),
    "with": _entries("agree, play, argue, speak spoke spoken, negotiate, collaborate"),
}
WITH_PARTICLE = {
    "up": _entries("pick, clean, look, wake woke woken, give gave given, fold"),
    "off": _entries("turn, switch, take took taken, cut cut cut cutting, wipe"),
    "on": _entries("turn, put put put putting, try, switch"),
    "away": _entries("throw threw thrown, take took taken, give gave given, lock"),
    "down": _entries("write wrote written, turn, take took taken, tear tore torn, burn"),
    "out": _entries("throw threw thrown, work, find found found, sort"),
}
SAYING = _entries("""
    say said said, think thought thought, know knew known, believe, hope, claim, admit admitted
    admitted admitting, understand understood understood, feel felt felt, forget forgot
    forgotten forgetting, explain, notice, suspect, insist, regret regretted regretted
    regretting, deny, boast, whisper, conclude
""")
WONDERING = _entries("wonder, ask, know knew known, forget forgot forgotten forgetting")
TELLING = _entries("tell told told, remind, warn, convince, assure, inform")
TRYING = _entries("""
    want, try, decide, hope, need, begin began begun beginning, learn, refuse, promise, plan
    planned planned planning, forget forgot forgotten forgetting, agree, manage, hesitate, dare,
    threaten, pretend, vow
""")
ASKING = _entries("""
    ask, help, persuade, allow, force, tell told told, invite, teach taught taught, beg begged
    begged begging, encourage, order, permit permitted permitted permitting, urge
""")
SEEMING = _entries(
    "seem, look, become became become, feel felt felt, sound, remain, stay, grow grew grown"
)
EXCLAMATIONS = _words("yes no well oh please okay sure hey")

Nouns = tuple[tuple[str, ...], ...]


def verbs_on(nouns: Nouns) -> Nouns:
    """Give the verbs that have such nouns for objects."""
    return _VERBS_ON.get(nouns, ON_THINGS)


def adjectives_for(nouns: Nouns) -> tuple[str, ...]:
    """Give the adjectives that describe such nouns."""
    return _ADJECTIVES_FOR.get(nouns, OF_THINGS)


_VERBS_ON = {
    THINGS: ON_THINGS,
    FOOD: ON_FOOD,
    TEXTS: ON_TEXTS,
    PEOPLE: ON_PEOPLE,
    IDEAS: ON_IDEAS,
    STUFF: ON_STUFF,
    ANIMALS: ON_ANIMALS,
}
_ADJECTIVES_FOR = {
    PEOPLE: OF_PEOPLE,
    ANIMALS: OF_PEOPLE,
    IDEAS: OF_IDEAS,
    FOOD: OF_FOOD,
    STUFF: OF_FOOD,
}

# --- small words ---------------------------------------------------------------------------------

AT_PLACES = _words("in near at behind outside opposite beside")
ON_OBJECTS = _words("on under in behind beside above")
TO_PLACES = _words("to through into from towards across past around")
ORDINALS = _words("first second third last next fourth fifth")
NUMBERS = _words("two three four five ten six twelve seven twenty eight nine fifty thirteen")
WITH_OF = _words("tired afraid proud fond full sure")
SUBORDINATORS = _words("because if when although while before after since unless until")
