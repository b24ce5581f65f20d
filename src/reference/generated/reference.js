/*!
This file contains:

preact 11.2.0

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var v,He,Yt,M,he,oe,De,Z,qe,ye,ge,zt,j=Symbol.for("pv"),re={},se=[],Xt=/^m(i|n|o|s|text|space)$/,ve=Array.isArray,Be=se.slice,U=Object.assign;function B(e){e&&e.parentNode&&e.remove()}function ee(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:j,__v:r||++He,__i:-1,__u:0};return!r&&v.vnode&&v.vnode(s),s}function N(e){return e.children}function te(e,t){this.props=e,this.context=t,this.__g=0}function H(e,t){if(t==null)return e.__&&H(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:H(e)}function Qt(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=U({constructor:j},n)).__v=n.__v+1,v.vnode&&v.vnode(t),be(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||H(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Je(r,t,s),n.__=n.__e=null,t.__e!=o&&Ue(t))}function Ue(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Ue(e)}function Le(e){(8&e.__g||(e.__g|=8,M.push(e),oe++))&&he==v.debounceRendering||((he=v.debounceRendering)||queueMicrotask)(Fe)}function Fe(){try{for(var e,t=1;M.length;)M.length>t&&M.sort(De),e=M.shift(),t=M.length,8&e.__g&&Qt(e)}finally{(oe=M.length)&&(he||queueMicrotask)(Fe)}}function je(e,t,n,o,r,s,i,l,f,_,u){var m,h,a,y,x,d,p=o.__k||se,g=t.length;for(f=Zt(n,t,p,f,g),m=0;m<g;m++)(a=n.__k[m])!=null&&(h=~a.__i&&p[a.__i]||re,a.__i=m,d=be(e,a,h,r,s,i,l,f,_,u),y=a.__e,(h.ref!=a.ref||8&h.__u)&&(h.ref&&Se(h.ref,null,a,h),a.ref&&u.push(a.ref,a.__c||y,a)),x=x||y,4&a.__u?(f=Ge(a,f,e,!h.__v),h.__e&&(h.__e=null)):typeof a.type=="function"&&d!==void 0?f=d:y&&(f=y.nextSibling),a.__u&=-21);return n.__e=x,f}function Zt(e,t,n,o,r){var s,i,l,f,_,u,m,h,a,y=n.length,x=y,d=0,p=0,g=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=g[s]=ee(null,i):ve(i)?i=g[s]=ee(N,{children:i}):i.constructor===j&&i.__b?i=g[s]=ee(i.type,i.props,i.key,i.ref,i.__v):g[s]=i,f=s+d,i.__=e,i.__b=e.__b+1,l=null,~(_=i.__i=en(i,n,f,x))&&(x--,(l=n[_])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,_==f-1?d--:_==f+1?d++:_!=f&&(_>f?d--:d++,p=1)):(~_||(r>y?d--:r<y&&d++),typeof i.type!="function"&&(i.__u|=4))):g[s]=null;if(p){for(u=[],m=[],s=0;s<r;s++)if((i=g[s])&&16&i.__u){for(d=0,h=u.length;d<h;)u[a=d+h>>1]<i.__i?d=a+1:h=a;u[d]=i.__i,m[s]=d+1}for(d=u.length;s--;)m[s]&&(m[s]==d?d--:g[s].__u|=4)}if(x)for(s=0;s<y;s++)!(l=n[s])||2&l.__u||(l.__e==o&&(o=H(l)),xe(l,l));return o}function Ge(e,t,n,o){var r,s,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=Ge(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=H(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function en(e,t,n,o){var r,{key:s,type:i}=e,l=t[n],f=l&&!(2&l.__u);if(l===null&&s==null||f&&s==l.key&&i==l.type)return n;if(o>(f?1:0)){for(r=n-1;r>=0;r--)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r;for(r=n+1;r<t.length;r++)if((l=t[r])&&!(2&l.__u)&&s==l.key&&i==l.type)return r}return-1}function Me(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Q(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Me(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Me(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=ge[t]||(ge[t]=tn(t)),(e.__a||(e.__a={}))[t]=ye,s=t!=(t=t.replace(qe,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(l){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function tn(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Z]==null)t[Z]=ye++;else if(t[Z]<this.__a[e])return;return n(v.event?v.event(t):t)}}}function be(e,t,n,o,r,s,i,l,f,_){var u,m,h,a,y,x,d,p,g,S,b,me,Oe,X,D,Ie,L,q,I=t.type;if(t.constructor!==j)return null;128&n.__u&&(f=32&n.__u,u=n.__c.__z)&&(t.__u|=f,m=s=[],u.nodeType==8?l=ne(u,s):s.push(u),l=s[0]||l),(u=v.__b)&&u(t);e:if(typeof I=="function"){h=i.length;try{if(p=t.props,g=(u=I.prototype)&&u.render,S=(u=I.contextType)&&o[u.__c],b=u?S?S.props.value:u.__:o,(a=n.__c)?(t.__c=a,2&a.__g&&(a.__g|=1)):(g?t.__c=a=new I(p,b):(t.__c=a=new te(p,b),a.constructor=I,a.render=on),S&&S.sub(a),a.state||(a.state={}),a.__n=o,a.__g|=8,a.__h=[],a.__k=[]),g&&(a.__s||(a.__s=a.state),I.getDerivedStateFromProps&&(a.__s==a.state&&(a.__s=U({},a.__s)),U(a.__s,I.getDerivedStateFromProps(p,a.__s)))),y=a.props,x=a.state,a.__v=t,n.__c){if(p!==y&&g&&!I.getDerivedStateFromProps&&a.componentWillReceiveProps&&a.componentWillReceiveProps(p,b),t.__v==n.__v&&!(8&a.__g)||!(4&a.__g)&&a.shouldComponentUpdate&&a.shouldComponentUpdate(p,a.__s,b)===!1){t.__v!=n.__v&&(a.props=p,a.state=a.__s,a.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(T){T&&(T.__=t)}),se.push.apply(a.__h,a.__k),a.__k=[],a.__h.length&&i.push(a),l=H(n);break e}a.componentWillUpdate&&a.componentWillUpdate(p,a.__s,b),g&&a.componentDidUpdate&&a.__h.push(function(){a.componentDidUpdate(y,x,d)})}else g&&!I.getDerivedStateFromProps&&a.componentWillMount&&a.componentWillMount(),g&&a.componentDidMount&&a.__h.push(a.componentDidMount);a.context=b,a.props=p,a.__P=e,a.__g&=-5,me=v.__r,Oe=g?25:0;do a.__g&=-9,me&&me(t),u=a.render(a.props,a.state=a.__s,a.context);while(8&a.__g&&++Oe<25);g&&(se.push.apply(a.__h,a.__k),a.__k=[]),a.state=a.__s,a.getChildContext&&(o=U({},o,a.getChildContext())),g&&n.__c&&a.getSnapshotBeforeUpdate&&(d=a.getSnapshotBeforeUpdate(y,x)),X=u&&u.type===N&&u.key==null?u.props.children:u,p.__P&&(u=l,r=(e=p.__P).namespaceURI,f=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(T){T&&xe(T,T)}),n.__k=null),l=n.__k?H(n,0):null),l=je(e,ve(X)?X:[X],t,n,o,r,s,i,l,f,_),p.__P&&(t.__e=null,l=u),t.__u&=-161,m&&m.some(B),a.__h.length&&i.push(a),1&a.__g&&(a.__g&=-4)}catch(T){if(i.length=h,t.__v=null,f||s)if(T&&T.then){if(t.__u|=128|f,s){for(~(L=s.indexOf(l||void 0))||(L=s.length);(q=s[L-1])&&q.nodeType==8;)L--;for(;L<s.length;L++)if(q=s[L])if(s[L]=null,D){if(q==Ie)break}else{if(q.nodeType!=8)break;q.data.startsWith("$s")&&(Ie=ne(D=q))}}if(!D){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;D=l}(u=ne(D=t.__c.__z||(t.__c.__z=D)))?(t.__e=D,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(B);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),T&&T.then||Ve(t),v.__e(T,t,n)}}else l=t.__e=nn(n.__e,t,n,o,r,s,i,f,_,e);return(u=v.diffed)&&u(t),l}function ne(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Ve(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ve))}function Je(e,t,n){for(var o=0;o<n.length;)Se(n[o++],n[o++],n[o++]);v.__c&&v.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){v.__e(s,r.__v)}})}function nn(e,t,n,o,r,s,i,l,f,_){var u,m,h,a,y,x,d,p,g=n.props||re,{props:S,type:b}=t;if(b=="svg"?r="http://www.w3.org/2000/svg":b=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((y=s[u])&&(b?y.localName==b:y.nodeType==3)){e=y,s[u]=null;break}}if(!e){if(p=_.ownerDocument||document,!b)return p.createTextNode(S);e=p.createElementNS(r,b,S.is?S:_),l&&(v.__m&&v.__m(t,s),l=!1),s=null}if(b){if(_=b=="template"&&e.content||e,s=b=="textarea"&&S.defaultValue!=null?null:s&&Be.call(_.childNodes),!l&&s)for(g={},u=0;u<e.attributes.length;u++)g[(y=e.attributes[u]).name]=y.value;for(u in g)y=g[u],u=="dangerouslySetInnerHTML"?h=y:u=="children"||(u in S)||u=="value"&&("defaultValue"in S)||u=="checked"&&("defaultChecked"in S)||Q(e,u,null,y,r);for(u in S)y=S[u],u=="children"?a=y:u=="dangerouslySetInnerHTML"?m=y:u=="value"?x=y:u=="checked"?d=y:l&&typeof y!="function"||g[u]===y||Q(e,u,y,g[u],r);m?(l||h&&(m.__html==h.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(h&&(e.textContent=""),(b=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Xt.test(b))&&(r="http://www.w3.org/1999/xhtml"),je(_,ve(a)?a:[a],t,n,o,r,s,i,s?s[0]:n.__k&&H(n,0),l,f),s&&s.some(B)),l&&b!="textarea"||(u="value",b=="progress"&&x==null?e.removeAttribute(u):x==null||x===e[u]&&(b!="progress"||x)||Q(e,u,x,g[u],r),u="checked",d!=null&&d!=e[u]&&Q(e,u,d,g[u],r))}else g===S||l&&e.data==S||(e.data=S);return e}function Se(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){v.__e(r,n)}}function xe(e,t,n){var o,r,s,i;if(v.unmount&&v.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||Se(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(l){v.__e(l,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&xe(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=ne(o,s=[]))&&(o==e.__e&&s.some(B),B(r),B(o)),n||B(e.__e),e.__e=e.__c=e.__=null}function on(e,t,n){return this.constructor(e,n)}function rn(e,t){var n,o,r,s;v.__&&v.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=ee(N,{children:[e]}),r=[],s=[],be(t,t.__k,o||re,re,t.namespaceURI,o?null:t.firstChild?Be.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),Je(r,t.__k,s),t.__k.props.children=null}function We(e,t){e&&typeof e=="object"&&(e.__u|=32),rn(e,t)}v={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw oe=0,e}},He=0,Yt=function(e){return e!=null&&e.constructor===j},te.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=U({},this.state)),typeof e=="function"&&(e=e(U({},n),this.props)),e&&(U(n,e),this.__v&&(t&&this.__k.push(t),Le(this)))},te.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Le(this))},te.prototype.render=N,M=[],oe=0,De=function(e,t){return e.__v.__b-t.__v.__b},Z=Symbol(),qe=/(PointerCapture)$|Capture$/i,ye=0,ge={},zt=0;var V,w,Ee,Ke,we=Object.is,ie=0,ot=[],Ae=[],E=v,{__b:Ye,__r:ze,diffed:Xe,__c:Qe,unmount:Ze,__:et}=E;function Te(e,t){E.__h&&E.__h(w,e,ie||t),ie=0;var n=w.__H||(w.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function k(e){return ie=1,sn(st,e)}function sn(e,t,n){var o=Te(V++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):st(void 0,t),function(s){var i=(o.__N||o.__)[0],l=o.t(i,s);we(i,l)||(o.__N=[l,o.__[1]],o.__c.setState({}))}],o.__c=w,!w.__f)){w.__f=!0;var r=w.shouldComponentUpdate;w.shouldComponentUpdate=function(s,i,l){var f=this.__H;if(!f)return!0;var _=!1,u=this.props!=s;if(f.__.some(function(h){h.__N&&(_=!0,we(h.__[0],h.__N[0])||(u=!0))}),r){var m=r.call(this,s,i,l);return _?m||u:m}return!_||u}}return o.__}function F(e,t){var n=Te(V++,4);!E.__s&&rt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,w.__h.push(n))}function ae(e){return ie=5,an(function(){return{current:e}},[])}function an(e,t){var n=Te(V++,7);return rt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function ln(){var e;do{for(;e=Ae.shift();)try{G(e)}catch(n){E.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=ot.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(G),t.__h.some(Ce),t.__h=[]}catch(n){t.__h=[],E.__e(n,e.__v)}}}while(Ae.length)}E.__b=function(e){w=null,Ye&&Ye(e)},E.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),et&&et(e,t)},E.__r=function(e){ze&&ze(e),V=0;var t=(w=e.__c).__H;t&&(Ee==w?w.__h=[]:(t.__h.some(G),t.__h.some(Ce),V=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Ee=w},E.diffed=function(e){Xe&&Xe(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&nt(ot.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ee=w=null},E.__c=function(e,t){t.some(function(n){try{n.__h.some(G),n.__h=n.__h.filter(function(o){return!o.__||Ce(o)})}catch(o){n.__h=[function(){throw o}]}}),Qe&&Qe(e,t)},E.unmount=function(e){Ze&&Ze(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,nt(Ae.push(r))}else G(r)}catch(s){t=s}}),o.__H=void 0,t&&E.__e(t,o.__v))};var tt=typeof requestAnimationFrame=="function";function un(e){var t,n=function(){clearTimeout(o),tt&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);tt&&(t=requestAnimationFrame(n))}function nt(e){e!=1&&Ke==E.requestAnimationFrame||((Ke=E.requestAnimationFrame)||un)(ln)}function G(e){var t=w,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),w=t}function Ce(e){var t=w;e.__c=e.__(),w=t}function rt(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!we(n,e[o])})}function st(e,t){return typeof t=="function"?t(e):t}var cn=Symbol.for("pv"),pn=0;function c(e,t,n,o,r,s){t||(t={});var i,l,f=t;if("ref"in f&&typeof e!="function")for(l in f={},t)l=="ref"?i=t[l]:f[l]=t[l];var _={type:e,props:f,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:cn,__v:--pn,__i:-1,__u:0};return(r||s)&&(_.__source=r,_.__self=s),v.vnode&&v.vnode(_),_}function J({language:e,code:t}){return c("pre",{class:"code",tabIndex:0,children:c("code",{children:_n(e,t).map(({kind:n,text:o})=>n===void 0?o:c("span",{class:`code-${n}`,children:o}))})})}function le({what:e="code"}){return c("button",{type:"button",class:"copy secondary small needs-script","aria-live":"polite",children:["Copy",c("span",{class:"hidden",children:[" ",e]})]})}var dn=ke({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),fn={curl:ke({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),http:ke({name:/^[\w-]+(?=:)/})};function ke(e){let t=Object.entries(e).map(([n,{source:o}])=>`(?<${n}>${o})`);return new RegExp(t.join("|"),"gm")}function _n(e,t){let n=[],o=0;for(let{0:r,index:s,groups:i={}}of t.matchAll(fn[e]??dn)){if(r==="")continue;if(s>o)n.push({text:t.slice(o,s)});n.push({kind:Object.keys(i).find((l)=>i[l]!==void 0),text:r}),o=s+r.length}if(o<t.length)n.push({text:t.slice(o)});return n}function W(e){return`'${e.replaceAll("'","'\\''")}'`}var Pe="/v1";var it="/docs/errors";var at="/docs/search.json",lt="/docs/search.js";var ut="/client.tgz",io={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${Pe}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var ct=-(2n**63n),pt=2n**63n-1n,lo=`must be an integer from ${ct} to ${pt}`,mn=/^(?:0|-?[1-9][0-9]{0,18})$/,hn=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;function dt(e){return e>=ct&&e<=pt}function gn(e){if(!mn.test(e))return;let t=BigInt(e);return dt(t)?t:void 0}function ft(e){let t=gn(e);if(t!==void 0||!/[.eE]|^-0$/.test(e))return t;let n=hn.exec(e);if(n===null)return;let[,o,r="",s="",i="0"]=n,l=r+s,f=0;while(l.charCodeAt(f)===48)f++;let _=l.length;while(_>f&&l.charCodeAt(_-1)===48)_--;let u=l.slice(f,_);if(u==="")return 0n;let m=Number(i)-s.length+(l.length-_);if(m<0||u.length+m>19)return;let h=BigInt(`${o}${u}${"0".repeat(m)}`);return dt(h)?h:void 0}class ce extends Error{name="JsonSyntaxError"}var _t=64,yn=1000,Re=34,vn=92,bn=32,Sn=57,$e=/[ \n\r\t]*/y,ht="\\u0000-\\u001F",mt=new RegExp(`[${ht}]`,"g"),xn=new RegExp(`[\\\\${ht}]`),ue=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function gt(e,t=Number.POSITIVE_INFINITY){let n=0,o=-1;function r(d){throw new ce(`is not valid JSON: ${d} at character ${n+1}`)}function s(){if(e.charCodeAt(n)>bn)return;$e.lastIndex=n,$e.test(e),n=$e.lastIndex}function i(d){if(!e.startsWith(d,n))return!1;return n+=d.length,!0}function l(){let d=n;if(n=e.indexOf('"',d+1),f(n))n=_(n+1);if(n===-1)u(d,e.length,"a string has no end");n++;let p=e.slice(d+1,n-1);if(!xn.test(p))return p;try{return JSON.parse(e.slice(d,n))}catch{return u(d,n,"a string has an invalid escape")}}function f(d){let p=d;while(e[p-1]==="\\")p--;return(d-p)%2===1}function _(d){for(let p=d;p<e.length;p++){let g=e.charCodeAt(p);if(g===Re)return p;if(g===vn)p++}return-1}function u(d,p,g){if(mt.lastIndex=d,n=mt.exec(e)?.index??p,n<p)r("a string has an unescaped control character");n=p,r(g)}function m(){if(ue.lastIndex=n,!ue.test(e))r("expected a value");let d=e.slice(n,ue.lastIndex);return n=ue.lastIndex,ft(d)??(d.length>yn?Number.NaN:Number(d))}function h(d){let p=[];if(s(),i("]"))return p;do p.push(y(d));while(i(","));if(!i("]"))r('expected "," or "]"');return p}function a(d){let p=Object.create(null);if(s(),i("}"))return p;do{if(s(),e.charCodeAt(n)!==Re)r("expected the name of a field in double quotes");let g=n,S=l();if(S in p)n=g,r("a field is repeated");if(s(),!i(":"))r('expected ":"');p[S]=y(d)}while(i(","));if(!i("}"))r('expected "," or "}"');return p}function y(d){if(d>_t)throw new ce(`is nested deeper than ${_t} levels`);if(++o>t)throw new ce(`has more than ${t} values`);s();let p,g=e.charCodeAt(n);if(g===Re)p=l();else if(g<=Sn)p=m();else if(i("{"))p=a(d+1);else if(i("["))p=h(d+1);else if(i("true"))p=!0;else if(i("false"))p=!1;else if(i("null"))p=null;else r("expected a value");return s(),p}let x=y(1);if(n<e.length)r("expected the end");return x}function pe(e,t){return JSON.stringify(e,(o,r)=>typeof r==="bigint"?JSON.rawJSON(String(r)):r,t)}function C({baseUrl:e,path:t,values:n}){let o=t.replace(/\{(\w+)\}/g,(s,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),r=new URLSearchParams(n.query);return`${e}${o}${r.size>0?`?${r}`:""}`}function P({values:e,otherBody:t}){return t??(e.body&&pe(e.body))}function O(e){let t=Object.entries(e.values.header);if(P(e)!==void 0)t.push(["Content-Type","application/json"]);return t}function yt(e,t=ut){return`npm install ${e.slice(0,-Pe.length)}${t}`}var bt={id:"curl",title:"curl",request:(e)=>vt(e,"-i --fail-with-body"),pageLoop:(e)=>`url=${W(C(e))}
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || exit 1
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done`,retryLoop:(e)=>`send() {
  ${vt(e,"-isS -m 30 -w '\\n%{http_code}'","    ")}
}

for attempt in 0 1 2 3 4; do
  response=$(send)
  code=\${response##*[!0-9]} # 000 without a response
  case $code in 000 | 429 | 502 | 503 | 504) ;; *) break ;; esac
  after=$(printf '%s' "$response" |
    sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9]*\\).*/\\1/p')
  [ "\${after:=0}" -le 120 ] && [ $attempt -lt 4 ] || break
  # Retry-After, and a random part of 1, 2, 4, then 8 seconds
  random=$(od -An -N2 -tu2 /dev/urandom)
  sleep "$(awk "BEGIN { print $after + $random / 65536 * 2 ^ $attempt }")"
done
printf '%s\\n' "$response"
[ "\${code%??}" = 2 ]`};function vt(e,t,n="  "){let o=P(e),r=[t,'-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...O(e).map(([s,i])=>`-H ${W(`${s}: ${i}`)}`),...o===void 0?[]:[`--data-raw ${W(o)}`]];return[`curl -X ${e.method} ${W(C(e))}`,...r].join(` \\
${n}`)}var K=/^-?(?:0|[1-9][0-9]*)$/,En=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function R(e){return JSON.stringify(e).replace(En,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function A(e){return`'${R(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var de={id:"fetch",title:"JavaScript",request:(e)=>`const response = await ${St(e)};

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);`,pageLoop:(e)=>`let url = ${A(C(e))};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}`,retryLoop:(e)=>`const send = () => ${St(e,`  signal: AbortSignal.timeout(30_000),
`)};

for (let attempt = 0; ; attempt++) {
  let failure;
  let wait = 0;
  try {
    const response = await send();
    const text = await response.text();
    console.log(response.status, text);
    if (response.ok) break;
    failure = new Error(text);
    const mayHelp = [429, 502, 503, 504].includes(response.status);
    const retryAfter = Number(response.headers.get('Retry-After'));
    wait = mayHelp ? retryAfter || 0 : Infinity;
  } catch (error) {
    failure = error; // no response
  }
  if (wait > 120 || attempt === 4) throw failure;
  // Retry-After, and a random part of 1, 2, 4, then 8 seconds
  const seconds = wait + Math.random() * 2 ** attempt;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}`};function St(e,t=""){let n=P(e),o=O(e).map(([r,s])=>`    ${A(r)}: ${A(s)},
`);return`fetch(${A(C(e))}, {
  method: '${e.method}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
${o.join("")}  },
${n===void 0?"":`  body: ${A(n)},
`}${t}})`}var wt={id:"go",title:"Go",request:(e)=>`package main

import (
${xt(e,"fmt io log net/http os")})

func main() {
${Et(e,"http.DefaultClient","log.Fatal(err)")}	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}`,pageLoop:(e)=>`package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := ${R(C(e))}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode >= 300 {
			log.Fatal(response.Status, string(body), err)
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}`,retryLoop:(e)=>`package main

import (
${xt(e,"errors fmt io log math math/rand net/http os strconv time")})

var client = http.Client{Timeout: 30 * time.Second}

func main() {
	for attempt := 0; ; attempt++ {
		wait, err := send()
		if err == nil {
			return
		}
		if wait > 120 || attempt == 4 {
			log.Fatal(err)
		}
		// Retry-After, and a random part of 1, 2, 4, then 8 seconds
		wait += rand.Float64() * math.Pow(2, float64(attempt))
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

// Returns an error with the seconds to wait before the next attempt.
func send() (float64, error) {
${Et(e,"client","return 0, err")}	fmt.Println(response.Status, string(body))
	if response.StatusCode < 300 {
		return 0, nil
	}
	wait := math.Inf(1)
	switch response.StatusCode {
	case 429, 502, 503, 504:
		wait, _ = strconv.ParseFloat(response.Header.Get("Retry-After"), 64)
	}
	return wait, errors.New(response.Status)
}`};function xt(e,t){return(P(e)===void 0?t:`${t} strings`).split(" ").sort().map((o)=>`	"${o}"
`).join("")}function Et(e,t,n){let o=P(e),r=O(e).map(([s,i])=>`	request.Header.Set(${R(s)}, ${R(i)})
`);return`	request, err := http.NewRequest(
		"${e.method}",
		${R(C(e))},
		${o===void 0?"nil":`strings.NewReader(${wn(o)})`},
	)
	if err != nil {
		${n}
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
${r.join("")}
	response, err := ${t}.Do(request)
	if err != nil {
		${n}
	}
	defer response.Body.Close()

	body, err := io.ReadAll(response.Body)
	if err != nil {
		${n}
	}
`}function wn(e){let t=R(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}var Ct={id:"python",title:"Python",request:(e)=>`import json
import os
import urllib.error
import urllib.request

${At(e)}

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")`,pageLoop:(e)=>`import json
import os
import re
import urllib.request

url = ${R(C(e))}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request) as response:
        for pet in json.load(response):
            print(pet)
        link = response.headers.get("Link", "")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]`,retryLoop:(e)=>`import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request

${At(e)}

for attempt in range(5):
    wait = 0
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            print(response.status, json.load(response))
            break
    except urllib.error.HTTPError as error:
        failure = f"{error.code} {error.read().decode()}"
        if error.code not in (429, 502, 503, 504):
            raise SystemExit(failure)
        wait = int(error.headers.get("Retry-After", 0))
    except (OSError, http.client.HTTPException) as error:
        failure = f"No response: {error}"
    if wait > 120 or attempt == 4:
        raise SystemExit(failure)
    # Retry-After, and a random part of 1, 2, 4, then 8 seconds
    time.sleep(wait + random.random() * 2**attempt)`};function At(e){let t=P(e),n=O(e).map(([o,r])=>`        ${R(o)}: ${R(r)},
`);return`request = urllib.request.Request(
    ${R(C(e))},
    method="${e.method}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
${n.join("")}    },
${t===void 0?"":`    data=${A(t)}.encode(),
`})`}var Tt={id:"int64",name:"text",categoryId:"int64",status:"text"};var Rt={id:"typescript",title:"TypeScript",request:kt,pageLoop:({baseUrl:e})=>`${$t(e)}

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);`,retryLoop:(e)=>`// The client waits, backs off and repeats for you.
${kt(e)}`};function kt(e){let{operation:t,baseUrl:n,values:o,otherBody:r}=e;if(r!==void 0)return`// The client sends only pets. Other JSON needs fetch.
${de.request(e)}`;return`${$t(n)}

${An[t](o)}`}function $t(e){return`// ${yt(e)}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: ${A(e)} });`}var An={listPets({query:e}){return`const page = await store.listPets(${Pt(e,(n,o)=>Cn[n](o))});
console.log(page.pets);`},createPet({body:e={},header:t}){let n=Pt(e,Tn),o=t["Idempotency-Key"],r=o===void 0?"":`, { idempotencyKey: ${A(o)} }`;return`const pet = await store.createPet(${n}${r});
console.log(pet);`},getPet:({path:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${Nt(e.petId??"")});
console.log(pet); // undefined if there is none`},Cn={limit:(e)=>K.test(e)?e:A(e),status:A,after:Nt};function Nt(e){return K.test(e)?`${e}n`:A(e)}function Tn(e,t){if(typeof t==="string")return A(t);return Tt[e].startsWith("int64")?`${t}n`:`${t}`}function Pt(e,t){let n=Object.entries(e).map(([o,r])=>`  ${o}: ${t(o,r)},
`);return n.length===0?"":`{
${n.join("")}}`}var fe=[bt,Rt,de,Ct,wt];class Y extends EventTarget{#t;#e;constructor(e,t){super();this.#e=Ot(()=>e().getItem(t))??"",this.#t=(n)=>Ot(()=>e().setItem(t,n))}get value(){return this.#e}set(e){this.#e=e,this.#t(e),this.dispatchEvent(new Event("change"))}}function _e(e,t){let[n,o]=k(t);return F(()=>{let r=()=>o(e.value);e.addEventListener("change",r),r()},[e]),n}function Ot(e){try{return e()}catch{return}}var z=new Y(()=>sessionStorage,"animal-store.key");function It(){let e=_e(z,"");return c("input",{type:"password",autocomplete:"off","aria-label":"API key",title:"Kept until the tab closes",placeholder:"API key: ask_…",value:e,onInput:({currentTarget:t})=>z.set(kn(t.value))})}function kn(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}var Pn=["bad","neutral","good","info","warning","bad"];function Lt({status:e,title:t}){return c("span",{class:`badge status ${Pn[Math.floor(e/100)]}`,children:t??e})}function Mt({outcome:e,isSending:t}){let{title:n,status:o=0,note:r,body:s,headers:i,errorCode:l}=e;return c("div",{class:"response","aria-busy":t,children:[c("div",{class:"line",children:[c("span",{role:"status",children:t?"Sending…":c(N,{children:[c(Lt,{status:o,title:n})," ",c("span",{class:"note",children:r})]})}),s&&c(le,{what:"response"})]}),l!==void 0&&c("p",{class:"error-code",children:["Error"," ",c("a",{href:`.${it}#${l}`,children:c("code",{children:l})}),": what it means and what to do"]}),s&&c(J,{language:"json",code:Rn(s)}),i!==void 0&&c("details",{children:[c("summary",{children:["Headers ",c("span",{class:"note",children:i.length})]}),c(J,{language:"http",code:i.map(([f,_])=>`${f}: ${_}`).join(`
`)})]})]})}function Rn(e){try{return pe(gt(e),2)}catch{return e}}var $n=/#(\w+)>; rel="help"/,Nn=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function Dt(e){let[t,n]=k(e),[o,r]=k(!1),s=ae(void 0);return{outcome:t,isSending:o,sendOrCancel:async(l)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,r(!0),n(await On(l,s.current.signal)),r(!1),s.current=void 0}}}async function On(e,t){let{method:n}=e,o=O(e);if(z.value!=="")o.push(["Authorization",`Bearer ${z.value}`]);let r=performance.now();if(o.some(([,s])=>/[^\x20-\x7e]/.test(s)))return{title:"Not sent",note:In};try{let s=await fetch(C(e),{method:n,headers:o,signal:t,body:P(e)??null,cache:"no-store",credentials:"omit"}),i=await Hn(s,r);if(s.ok)Mn(n==="POST",i.body);return i}catch(s){if(!t.aborted)return{title:"No response",note:`${Ln} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var In="A header may contain only ASCII characters. Check your API key.",Ln="The service cannot be reached from this page. Check your connection and the headers.",Ht=!1;function Mn(e,t){let[,n]=/"id":(-?\d+)/.exec(t)??[];if(n===void 0||Ht&&!e)return;Ht=e;for(let o of document.querySelectorAll("[data-place=path]"))o.defaultValue=n,o.dispatchEvent(new Event("input",{bubbles:!0}))}async function Hn(e,t){let{status:n,statusText:o,headers:r}=e,s=await e.text(),i=r.get("Link")??"";return{title:`${n} ${o}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${Dn(r)}`,body:s,headers:[...r],nextAfter:Nn.exec(i)?.[1],errorCode:$n.exec(i)?.[1]}}function Dn(e){let[t,n,o]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!o)return"";let r=new Date(Number(o)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${r}`}function Ut({id:e,request:t,example:n}){let o=ae(null),[r,s]=k(t),{outcome:i,isSending:l,sendOrCancel:f}=Dt(n),{nextAfter:_}=i;F(()=>{let m=o.current?.closest("form");if(!m)return;let h=()=>s(Bt(m,t));m.addEventListener("input",h),m.addEventListener("submit",(a)=>{a.preventDefault(),h(),f(Bt(m,t))}),h()},[]);let u=()=>{let m=o.current?.closest("form"),h=m?.querySelector("[name=after]");if(!m||!h)return;h.value=_??"",m.requestSubmit()};return c("div",{class:"panel",ref:o,children:[c(jt,{codeOf:(m)=>m.request(r)}),c("div",{class:"line send needs-script",children:[c("button",{type:"submit",onClick:(m)=>m.detail>1&&m.preventDefault(),children:[l?"Cancel":"Send",c("span",{class:"hidden",children:[" ",r.operation]})]}),c(It,{})]}),c(Mt,{outcome:i,isSending:l}),e===r.operation&&_!==void 0&&c("p",{children:c("button",{type:"button",class:"secondary",onClick:u,children:"Next page"})})]})}function Ft({loop:e,request:t}){let[n,o]=k(t.baseUrl);return F(()=>o(Gt()),[]),c("div",{class:"panel",children:c(jt,{codeOf:(r)=>r[e]({...t,baseUrl:n})})})}var qt=new Y(()=>localStorage,"animal-store.language");function jt({codeOf:e}){let t=_e(qt,""),n=fe.find(({id:o})=>o===t)??fe[0];return c(N,{children:[c("div",{class:"line needs-script",children:[c("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:o})=>qt.set(o.value),children:fe.map(({id:o,title:r})=>c("option",{value:o,children:r},o))}),c(le,{})]}),c(J,{language:n.id,code:e(n)})]})}function Bt(e,t){let n=structuredClone(t.values);for(let{name:r,value:s,inputMode:i,dataset:l}of e.querySelectorAll("[data-place]")){let f=n[l.place]??{},_=s.trim(),u=f===n.body,m=u&&i==="numeric"&&K.test(_),h=u&&l.type==="boolean";if(f[r]=m?BigInt(_):h?_==="true":_,_==="")delete f[r]}let o=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:Gt(),values:n,otherBody:o}}function Gt(){return location.origin+location.pathname.replace(/\/docs(\/\w+)?$/,"/v1")}function Vt({root:e}){let[t,n]=k(""),[o,r]=k(),[s,i]=k("Loading…");F(Fn,[]);let l=async()=>{try{let u=o??await Un(e);r(()=>u)}catch{i("Search is not available. Reload the page to try again.")}},f=o?.(t)??[],_=()=>{n(""),document.activeElement.blur()};return c("search",{class:"search needs-script",onKeyDown:(u)=>u.key==="Escape"?_():qn(u),children:[c("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Type / to search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:u})=>n(u.value),onFocus:l}),c("div",{class:"search-list",hidden:t==="",children:[f.map(({title:u,place:m,text:h,href:a})=>c("a",{href:e+a,tabIndex:0,onClick:_,children:[c("b",{children:u}),c("span",{class:"note",children:m}),c("span",{class:"search-text note",children:h})]},a)),c("p",{role:"status",class:"note",children:o===void 0?s:Bn(f)})]})]})}function qn(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function Bn({length:e}){return e===1?"1 result":`${e||"No"} results`}async function Un(e){let t=(r)=>new URL(e+r.slice(1),location.href).href,[{newSearch:n},o]=await Promise.all([import(t(lt)),fetch(t(at))]);return n(await o.json())}function Fn(){document.addEventListener("keydown",(e)=>{let{key:t,ctrlKey:n,metaKey:o,altKey:r,target:s}=e;if(t!=="/"||n||o||r)return;if(s instanceof Element&&s.matches("input, select, textarea"))return;e.preventDefault(),document.getElementById("search")?.focus()})}var jn={"code-panel":Ut,"loop-panel":Ft,"search-box":Vt};function Jt(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,o=jn[t];We(c(o,{...JSON.parse(n)}),e)}}function Wt(e){let t=new Map,n=new IntersectionObserver((o)=>{for(let{target:r,isIntersecting:s}of o){let i=t.get(r);if(i?.removeAttribute("aria-current"),i===void 0||!s)continue;i.setAttribute("aria-current","location"),Gn(e,i)}},{rootMargin:"-20% 0px -80%"});for(let o of e.querySelectorAll("li a")){let r=document.getElementById(o.hash.slice(1));if(r===null||o.pathname!==location.pathname)continue;t.set(r,o),n.observe(r)}}function Gn(e,t){let n=e.getBoundingClientRect(),o=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(o)>n.height/4)e.scrollTop+=o}function Kt(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var Vn=2000;Jt();Jn();var Ne=document.getElementById("navigation");if(Ne!==null)Wt(Ne),Kt(Ne);function Jn(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),o=t?.firstChild;if(!n||!o)return;await Wn(n),o.nodeValue="Copied",setTimeout(()=>{o.nodeValue="Copy"},Vn)})}async function Wn(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
