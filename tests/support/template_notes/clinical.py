"""Clinical phrases that hold no PHI, many of which look as if they did.

Eponyms look like names, ratios and doses like dates, ward names like places,
laboratory values like identifiers. Every entry is a list of phrases; a phrase
may use other entries in braces, ``{int:2-9}`` for a whole number in that range
and ``{dec:0.5-9.9}`` for one with a decimal.
"""

from __future__ import annotations

from collections.abc import Mapping

PHRASES: Mapping[str, tuple[str, ...]] = {
    "eponym": (
        "Crohn's disease", "Parkinson disease", "Hodgkin lymphoma", "Graves' disease",
        "Barrett's esophagus", "Alzheimer's dementia", "Bell's palsy", "Paget's disease",
        "Raynaud phenomenon", "Sjogren syndrome", "Addison's disease",
        "Wegener's granulomatosis", "Meniere's disease", "Charcot foot",
        "Dupuytren contracture", "Marfan syndrome", "Guillain-Barre syndrome",
        "Hashimoto thyroiditis", "Wilson's disease", "Dressler syndrome",
    ),
    "device": (
        "a Foley catheter", "a Hickman line", "a Jackson-Pratt drain", "a Swan-Ganz catheter",
        "a Dobbhoff tube", "a Penrose drain", "a Greenfield filter", "a Port-a-Cath",
        "a Miami J collar", "a Holter monitor", "an Ace wrap", "a Tesio catheter",
    ),
    "sign": (
        "Murphy's sign", "Kernig's sign", "Babinski reflex", "Homans' sign", "Romberg test",
        "Tinel's sign", "Phalen's test", "McMurray test", "Rovsing's sign",
        "Kussmaul breathing",
    ),
    "procedure": (
        "a Whipple procedure", "a Billroth II gastrectomy", "a Nissen fundoplication",
        "a Roux-en-Y bypass", "an open cholecystectomy", "a right hip replacement",
        "a Hartmann procedure", "a coronary artery bypass graft",
        "a laparoscopic appendectomy", "a transurethral resection of the prostate",
        "a left carotid endarterectomy",
    ),
    "illness": (
        "{eponym}", "{eponym}", "hypertension", "type 2 diabetes mellitus",
        "atrial fibrillation", "congestive heart failure", "community-acquired pneumonia",
        "chronic kidney disease", "gout", "asthma", "osteoarthritis",
        "a deep venous thrombosis", "cellulitis", "an upper gastrointestinal bleed",
        "diverticulitis", "pyelonephritis", "a hip fracture",
        "chronic obstructive pulmonary disease", "acute pancreatitis",
        "a transient ischemic attack",
    ),
    "symptom": (
        "chest pain", "shortness of breath", "abdominal pain", "fever and chills", "dizziness",
        "nausea and vomiting", "lower back pain", "a productive cough", "leg swelling",
        "confusion", "palpitations", "blurred vision", "painful urination", "a fall",
        "weakness of the left arm",
    ),
    "drug": (
        "aspirin", "Lasix", "Coumadin", "metoprolol", "lisinopril", "Zocor", "heparin",
        "Plavix", "Synthroid", "insulin glargine", "vancomycin", "Levaquin", "prednisone",
        "Protonix", "Percocet", "Colace", "Dilantin", "Ativan", "Norvasc", "Flagyl", "digoxin",
        "Allegra",
    ),
    "dose": (
        "{int:1-9}{int:0-9}0 mg", "{int:2-80} mg", "{dec:0.1-2.5} mg", "{int:1-9}5 mcg",
        "{int:4-40} units", "{int:1-3} tablets", "{int:1-9}/{int:10-50} mg",
    ),
    "route": ("p.o.", "PO", "IV", "subcutaneously", "by mouth", "sublingually"),
    "often": (
        "daily", "b.i.d.", "t.i.d.", "q.h.s.", "q. day", "every {int:4-12} hours", "BID",
        "q{int:4-8}h p.r.n. pain", "once a week", "twice a day x {int:3-14} days",
    ),
    "medication": (
        "{drug} {dose} {route} {often}", "{drug} {dose} {often}", "{drug} {dose} {route}",
    ),
    "ward": (
        "the Medical Intensive Care Unit", "the step-down unit", "{int:3-12} West",
        "{int:2-9} North", "the coronary care unit", "the Orthopedic Service",
        "ward {int:2-9}B", "the telemetry floor", "Bed {int:1-30}", "the Emergency Department",
        "Pod {int:1-4}", "the General Medicine service",
    ),
    "service": (
        "Cardiology", "General Surgery", "Neurology", "Infectious Disease", "Nephrology",
        "Gastroenterology", "Physical Therapy", "Psychiatry", "Vascular Surgery",
    ),
    "bp": ("{int:95-190}/{int:50-99}", "{int:95-190} over {int:50-99}"),
    "vitals": (
        "temperature {dec:96.5-102.9}, pulse {int:52-118}, blood pressure {bp}, RR {int:12-28}",
        "T {dec:96.5-102.9}, HR {int:52-118}, BP {bp}, O2 sat {int:88-100}% on room air",
        "BP {bp}, heart rate {int:52-118}, saturating {int:88-100}% on {int:1-6} L",
    ),
    "lab": (
        "sodium {int:128-148}", "potassium {dec:3.0-5.9}", "creatinine {dec:0.6-4.8}",
        "BUN {int:8-70}", "hematocrit {dec:24.0-46.0}", "white count {dec:3.5-21.0}",
        "platelets {int:80-450}", "INR {dec:0.9-4.2}", "glucose {int:70-380}",
        "troponin less than 0.0{int:1-9}", "ESR {int:5-99}", "hemoglobin A1c {dec:5.2-11.5}%",
        "ALT {int:10-220}", "ANA 1:{int:4-64}0", "lactate {dec:0.8-5.5}", "CK {int:40-900}",
        "TSH {dec:0.2-9.5}", "pH 7.{int:20-49}", "BNP {int:100-2400}",
    ),
    "lab_name": ("the INR", "potassium", "creatinine", "a blood count", "the digoxin level"),
    "labs": ("{lab}, {lab} and {lab}", "{lab}, {lab}, {lab}, {lab}", "{lab} with {lab}"),
    "organism": (
        "Escherichia coli", "Staph aureus", "Klebsiella", "Strep pneumoniae", "Pseudomonas",
        "C. difficile", "Candida",
    ),
    "side": ("left", "right"),
    "grade": ("{int:1-4}/6", "{int:3-5}/5", "{int:1-3}+", "grade {int:1-3}"),
    "study": ("{plain_study}", "{plain_study}", "{vowel_study}"),
    "a_study": ("a {plain_study}", "a {plain_study}", "an {vowel_study}"),
    "plain_study": (
        "chest x-ray", "CT of the abdomen", "Doppler ultrasound", "colonoscopy", "head CT",
        "V/Q scan", "cardiac catheterization", "Dobutamine stress test", "Papanicolaou smear",
    ),
    "vowel_study": ("echocardiogram", "EKG", "MRI of the brain", "upper endoscopy", "EEG"),
    "finding": (
        "no acute process", "mild cardiomegaly", "a {dec:0.5-4.9} x {dec:0.5-4.9} cm nodule",
        "an ejection fraction of {int:25-65}%", "normal sinus rhythm at {int:55-98}",
        "left lower lobe infiltrate", "no evidence of thrombosis", "two {int:3-9} mm polyps",
        "a Hill-Sachs lesion", "small bilateral effusions",
        "moderate stenosis at L{int:3-4}-5",
    ),
    "job": (
        "teacher", "retired carpenter", "bus driver", "nurse", "baker", "retired mason",
        "cook", "librarian", "farmer", "accountant", "former fisher", "porter",
    ),
    "span": (
        "{int:2-9} days", "{int:2-6} weeks", "{int:3-9} months", "{int:10-40} years",
        "{int:12-72} hours", "two days", "several weeks",
    ),
    "soon": ("{int:2-9} days", "{int:2-6} weeks", "{int:2-6} months", "one week", "a month"),
    "clock": (
        "{int:1-9}:{int:10-59} a.m.", "{int:1-9}:{int:10-59} PM", "0{int:6-9}{int:10-59}",
    ),
    "condition": (
        "Stable", "Good", "Fair", "Improved", "Guarded but stable", "Stable, ambulating",
    ),
}  # fmt: skip
"""What fills the braces that hold no PHI."""
